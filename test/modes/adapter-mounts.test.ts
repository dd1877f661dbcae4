import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/message.ts'
import { createMounts, type Mountable } from '../../src/modes/adapter-mounts.ts'
import { OptionInvalid } from '../../src/errors.ts'

const adapter = (name: string): Mountable => ({
  name,
  bodyLimit: 1,
  handle: () => Promise.resolve({ status: 200, headers: {}, body: '' }),
  reset: () => undefined,
})
const call = (path: string, host = 'localhost', search = ''): HttpRequest => ({
  method: 'GET',
  scheme: 'http',
  host,
  path,
  search,
  headers: {},
})
const mounts = createMounts([
  { adapter: adapter('both'), host: 'api.example.com', prefix: '/v1/' },
  { adapter: adapter('host'), host: '*.example.com' },
  { adapter: adapter('prefix'), prefix: '/vendor' },
])
const found = (asked: HttpRequest) => {
  const mounted = mounts.of(asked)
  return mounted && [mounted.adapter.name, mounted.url]
}

describe('mounted adapters', () => {
  it.for([
    [call('/v1/x', 'api.example.com'), ['both', '/x']],
    [call('/v1', 'api.example.com', 'a=%20'), ['both', '/?a=%20']],
    [call('/v12', 'api.example.com'), ['host', '/v12']],
    [call('/x%2Fy', 'www.example.com:8080'), ['host', '/x%2Fy']],
    [call('/vendor/x'), ['prefix', '/x']],
    [call('/vendor/'), ['prefix', '/']],
    [call('/vendors'), undefined],
    [call('/x'), undefined],
  ] as const)('are found by host and prefix, the first that fits: %j', ([asked, expected]) => {
    expect(found(asked)).toEqual(expected)
  })

  it.for([
    [call('/v1/x', 'api.example.com'), { scheme: 'http', host: 'api.example.com', prefix: '/v1' }],
    [call('/x', 'www.example.com:8080'), { scheme: 'http', host: 'www.example.com:8080', prefix: '' }],
    [
      { ...call('/vendor/x'), scheme: 'https', prefix: '/app' },
      { scheme: 'https', host: 'localhost', prefix: '/app/vendor' },
    ],
  ] as const)('are told where they are seen: %j', ([asked, expected]) => {
    expect(mounts.of(asked)?.seenAt).toEqual(expected)
  })

  it('without host or prefix take everything', () => {
    const all = createMounts([{ adapter: adapter('all') }])
    expect(all.of(call('/any', 'any.test'))?.url).toBe('/any')
    expect(createMounts().of(call('/any'))).toBeUndefined()
  })

  it.for([
    [{ adapter: adapter('a'), host: 'no host' }, 'The host of the adapter a must be'],
    [{ adapter: adapter('a'), prefix: 'x' }, "The prefix of the adapter a must start with '/', not 'x'"],
  ] as const)('cannot be mounted at %j', ([mount, message]) => {
    expect(() => createMounts([mount])).toThrow(OptionInvalid)
    expect(() => createMounts([mount])).toThrow(message)
  })
})
