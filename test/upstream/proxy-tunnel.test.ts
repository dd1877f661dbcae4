import { describe, expect, it } from 'vitest'
import { readUpstreamProxy } from '../../src/upstream/proxy-tunnel.ts'

describe('a proxy ahead', () => {
  it('is opened with the name and password of its URL', () => {
    const { origin, address, headers } = readUpstreamProxy({ url: 'http://ada:p%3Aw%40@proxy.test:3128' })
    expect([origin, address]).toEqual([
      'http://proxy.test:3128',
      { protocol: 'http:', hostname: 'proxy.test', port: 3128, lookup: undefined },
    ])
    expect(headers).toEqual({ 'proxy-authorization': `Basic ${Buffer.from('ada:p:w@').toString('base64')}` })
  })

  it('serves every host but itself and those that are reached directly', () => {
    const { serves, headers } = readUpstreamProxy({ url: 'http://proxy.test', noProxy: 'near.test' })
    expect(headers).toEqual({})
    expect(serves('far.test', 80)).toBe(true)
    expect(serves('near.test', 80)).toBe(false)
    expect(serves('proxy.test', 80)).toBe(false)
    expect(serves('proxy.test', 443)).toBe(true)
  })

  it('speaks SOCKS5 where its URL says so', () => {
    const { origin, address, takesRequests } = readUpstreamProxy({ url: 'socks5h://ada:x@proxy.test' })
    expect([origin, address.hostname, address.port, takesRequests]).toEqual([
      'socks5h://proxy.test:1080',
      ...['proxy.test', 1080, false],
    ])
  })

  it.for(['socks4://proxy.test', 'socks5://', 'proxy.test:3128', 'http://'])('is none by %s', (url) => {
    expect(() => readUpstreamProxy({ url })).toThrow(/^The upstream proxy must be a URL/)
  })
})
