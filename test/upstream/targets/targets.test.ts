import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/message.ts'
import { createTargets, type TargetOptions } from '../../../src/upstream/targets/targets.ts'
import type { Target } from '../../../src/upstream/targets/targets.ts'
import type { UpstreamRule } from '../../../src/upstream/targets/targets.ts'

const LOCAL = [{ address: '127.0.0.1', port: 8080 }]

function call(url: string): HttpRequest {
  const { protocol, pathname, search } = new URL(url)
  const [, host = ''] = /^\w+:\/\/([^/]*)/.exec(url) ?? []
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { method: 'GET', scheme, host, path: pathname, search: search.slice(1), headers: {} }
}

function targetOf(
  url: string,
  options: TargetOptions & { upstream?: string; isProxied?: boolean },
): Target | undefined {
  const { upstream, isProxied = false, ...rest } = options
  return createTargets(rest, upstream, () => LOCAL).of(call(url), isProxied)
}

const whole = (target: Target | undefined): string | undefined => target && `${target.origin}${target.url}`

describe('upstreams', () => {
  const upstreams: UpstreamRule[] = [
    { url: 'http://a.internal/base/', path: '/api', stripPath: true },
    { url: 'http://b.internal', path: '/api/v2/' },
    { url: 'http://c.internal', host: '*.example.com' },
    {
      url: 'http://d.internal:81',
      host: 'api.example.com',
      path: '/x',
      rewrite: [{ from: '/x/{a}', to: '/y/{a}' }],
    },
  ]
  const at = (url: string, isProxied = false): string | undefined =>
    whole(targetOf(url, { upstreams, upstream: 'http://last.internal/', isProxied }))

  it.for([
    ['http://gw/api', 'http://a.internal/base/'],
    ['http://gw/api/', 'http://a.internal/base/'],
    ['http://gw/api/users?x=1', 'http://a.internal/base/users?x=1'],
    ['http://gw/api/v2/users', 'http://b.internal/api/v2/users'],
    ['http://gw/apis', 'http://last.internal/apis'],
    ['http://gw/', 'http://last.internal/'],
    ['http://www.example.com/api', 'http://c.internal/api'],
    ['http://api.example.com:99/x/1?q', 'http://d.internal:81/y/1?q'],
    ['http://api.example.com/z', 'http://c.internal/z'],
  ] as const)('send %s to %s', ([url, expected]) => {
    expect(at(url)).toBe(expected)
  })

  it('leave requests of a proxy’s clients to the host they name, unless a rule names it too', () => {
    const proxied = (url: string): string | undefined =>
      whole(targetOf(url, { upstreams, upstream: 'http://last.internal', proxy: true, isProxied: true }))
    expect(proxied('http://www.example.com/api')).toBe('http://c.internal/api')
    expect(proxied('http://other.test/api?x')).toBe('http://other.test/api?x')
    expect(proxied('https://other.test:8443/')).toBe('https://other.test:8443/')
  })

  it('take what asks for a proxy like any other request where the gateway is none', () => {
    expect(at('http://other.test/z', true)).toBe('http://last.internal/z')
  })

  it('are none where nothing takes a request', () => {
    expect(targetOf('http://gw/x', {})).toBeUndefined()
    expect(targetOf('http://gw/x', { upstreams: [{ url: 'http://a', path: '/y' }] })).toBeUndefined()
  })

  it('carry what is done to headers, and are trusted', () => {
    const requestHeaders = { set: { 'x-a': '1' } }
    const target = targetOf('http://gw/x', { upstreams: [{ url: 'http://127.0.0.1:1', requestHeaders }] })
    expect(target).toMatchObject({ requestHeaders, responseHeaders: {}, lookup: undefined })
  })

  it.for<[UpstreamRule, string]>([
    [{ url: 'example.com' }, 'The upstream must be a URL such as http://127.0.0.1:3000'],
    [{ url: 'ftp://example.com' }, 'The upstream must be a URL'],
    [{ url: 'http://a', host: 'http://b' }, 'upstreams: host must be'],
    [{ url: 'http://a', path: 'b' }, "upstreams: path must start with '/'"],
    [{ url: 'http://a', requestHeaders: { set: { 'a b': '1' } } }, "'a b' is not a header name"],
    [{ url: 'http://a', responseHeaders: { add: { a: 'x\r\nb: 1' } } }, 'the value of header a holds'],
    [{ url: 'http://a', responseHeaders: { remove: [''] } }, "'' is not a header name"],
  ])('refuse %j', ([rule, message]) => {
    expect(() => createTargets({ upstreams: [rule] }, undefined, () => [])).toThrow(message)
  })

  it.for(['http://127.0.0.1:8080', 'http://localhost:8080/x', 'http://[::1]:8080', 'http://127.1:8080'])(
    'refuse to be the gateway itself, as %s',
    (upstream) => {
      expect(() => targetOf('http://gw/x', { upstream })).toThrow('it is the gateway itself')
    },
  )

  it('refuse an allowed host that is none', () => {
    expect(() => createTargets({ allow: ['*'] }, undefined, () => [])).toThrow(
      "An allowed host must be like api.example.com, *.example.com or 10.0.0.7:8080, not '*'",
    )
  })
})

describe('a tunnel', () => {
  it('leads to a host and port, by a guarded lookup', () => {
    const targets = createTargets({ proxy: true }, undefined, () => LOCAL)
    expect(targets.tunnel('Example.com.:443')).toMatchObject({ hostname: 'example.com', port: 443 })
    expect(targets.tunnel('[::1]:443')).toMatchObject({ hostname: '::1', port: 443 })
  })
})
