import { describe, expect, it } from 'vitest'
import { OptionInvalid } from '../../src/errors.ts'
import { HANDLED, type HttpRequest } from '../../src/message.ts'
import { createMounts, type Mountable } from '../../src/modes/adapter-mounts.ts'
import type { Exchange } from '../../src/pipeline/exchange.ts'

const adapter = (name: string): Mountable => ({
  name,
  routesAt:
    ({ prefix, policies }) =>
    ({ path }) => ({
      id: `${name} ${path.slice(prefix.length) || '/'}`,
      source: 'adapter',
      policies,
      handlerFor: () => () => HANDLED,
    }),
  control: () => HANDLED,
  reset: () => undefined,
})
const request = (path: string, host = 'localhost'): HttpRequest => ({
  ...{ method: 'GET', scheme: 'http', host, path, search: '', headers: {} },
})
const policies = { rateLimit: 1 }
const mounts = createMounts(
  [
    { adapter: adapter('both'), host: 'api.example.com', prefix: '/v1/' },
    { adapter: adapter('host'), host: '*.example.com' },
    { adapter: adapter('prefix'), prefix: '/vendor' },
  ],
  policies,
)

describe('mounted adapters', () => {
  it.for([
    [request('/v1/x', 'api.example.com'), 'both /x'],
    [request('/v1', 'api.example.com'), 'both /'],
    [request('/v12', 'api.example.com'), 'host /v12'],
    [request('/x%2Fy', 'www.example.com:8080'), 'host /x%2Fy'],
    [request('/vendor/x'), 'prefix /x'],
    [request('/vendor/'), 'prefix /'],
    [request('/vendors'), undefined],
    [request('/x'), undefined],
  ] as const)('are found by host and prefix, the first that fits: %j', ([sent, id]) => {
    const route = mounts.routeOf?.(sent as Exchange)
    expect(route?.id).toBe(id)
    expect(route?.policies).toBe(id && policies)
  })

  it('without host or prefix take everything', () => {
    const all = createMounts([{ adapter: adapter('all') }])
    expect(all.routeOf?.(request('/any', 'any.test') as Exchange)?.id).toBe('all /any')
    expect(createMounts().routeOf).toBeUndefined()
  })

  it.for([
    [{ adapter: adapter('a'), host: 'no host' }, 'The host of the adapter a must be'],
    [{ adapter: adapter('a'), prefix: 'x' }, "The prefix of the adapter a must start with '/', not 'x'"],
  ] as const)('cannot be mounted at %j', ([mount, message]) => {
    expect(() => createMounts([mount])).toThrow(OptionInvalid)
    expect(() => createMounts([mount])).toThrow(message)
  })
})
