import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/message.ts'
import { readSession } from '../../src/state/session-key.ts'

function call(path: string, session?: string): HttpRequest {
  const headers = session === undefined ? {} : { 'x-sim-session': session }
  return { method: 'GET', scheme: 'http', host: 'x', path, search: 'a=1', headers }
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
    expect(readSession(call(path, header), user)).toEqual({
      key,
      call: { ...call(path, header), path: rest },
    })
  })

  it.for([
    ['/x', 'a b'],
    ['/x', 'a, b'],
    ['/x', 'x'.repeat(129)],
    ['/__sim/s/a%2Fb/x', undefined],
    ['/__sim/s/%FF/x', undefined],
  ] as const)('is refused where it cannot be: %s, %s', ([path, header]) => {
    expect(() => readSession(call(path, header))).toThrow('cannot be the key of a session')
  })
})
