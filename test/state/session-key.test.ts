import { describe, expect, it } from 'vitest'
import { applySession, type Unkeyed } from '../../src/state/sessions.ts'

function request(path: string, session?: string, user?: string): Unkeyed {
  return { path, user, headers: session === undefined ? {} : { 'x-sim-session': session } }
}

describe('the key of a session', () => {
  it.for([
    ['/x', undefined, undefined, '', '/x'],
    ['/x', 'a', undefined, 'a', '/x'],
    ['/x', undefined, 'ada', 'ada', '/x'],
    ['/x', '', 'ada', 'ada', '/x'],
    ['/x', 'a', 'ada', 'a', '/x'],
    ['/__sim/s/b/x/y', 'a', 'ada', 'b', '/x/y'],
    ['/__sim/s/b', undefined, undefined, 'b', '/'],
    ['/__sim/s/b/', undefined, undefined, 'b', '/'],
    ['/__sim/s/a%3Ab/%20', undefined, undefined, 'a:b', '/%20'],
    ['/__sim/s/', 'a', undefined, 'a', '/__sim/s/'],
    ['/__sim/store', 'a', undefined, 'a', '/__sim/store'],
  ] as const)('of %s with header %s and user %s is %s', ([path, header, user, key, rest]) => {
    const keyed = request(path, header, user)
    expect([applySession(keyed), keyed.path]).toEqual([key, rest])
  })

  it.for([
    ['/x', 'a b'],
    ['/x', 'a, b'],
    ['/x', 'x'.repeat(129)],
    ['/__sim/s/a%2Fb/x', undefined],
    ['/__sim/s/%FF/x', undefined],
  ] as const)('is refused where it cannot be: %s, %s', ([path, header]) => {
    expect(() => applySession(request(path, header))).toThrow('cannot be the key of a session')
  })
})
