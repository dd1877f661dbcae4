import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostOfCall, PLAIN_HOST, readHost, readHostPattern, readHostList } from '../../src/routing/host.ts'

describe('readHost', () => {
  it.for([
    ['api.example.com', 'api.example.com', undefined],
    ['API.Example.COM:8443', 'api.example.com', 8443],
    ['api.example.com.', 'api.example.com', undefined],
    ['api.example.com..:80', 'api.example.com', 80],
    ['bücher.example', 'xn--bcher-kva.example', undefined],
    ['１２７.０.０.１:80', '127.0.0.1', 80],
    ['2130706433', '127.0.0.1', undefined],
    ['0x7f.1', '127.0.0.1', undefined],
    ['0177.0.0.01', '127.0.0.1', undefined],
    ['127.1', '127.0.0.1', undefined],
    ['[::1]:80', '::1', 80],
    ['[0:0::0001]', '::1', undefined],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1', undefined],
    ['my_host', 'my_host', undefined],
    ['', undefined],
    [':80', undefined],
    ['a b', undefined],
    ['a/b', undefined],
    ['a@b', undefined],
    ['a\\b', undefined],
    ['a?b', undefined],
    ['a\tb', undefined],
    ['a:65536', undefined],
    ['a:80:80', undefined],
    ['[fe80::1%25eth0]', undefined],
    ['::1', undefined],
    ['256.256.256.256', undefined],
    ['.', undefined],
  ] as const)('reads %j as %j', ([authority, name, port]) => {
    expect(readHost(authority)).toEqual(name === undefined ? undefined : { name, port })
  })

  it('never throws, and reads what it gave back as the same', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webAuthority(), fc.ipV4Extended()), (text) => {
        const host = readHost(text)
        if (host === undefined) return
        const { name, port } = host
        const written = `${name.includes(':') ? `[${name}]` : name}${port === undefined ? '' : `:${port}`}`
        expect(readHost(written)).toEqual(host)
      }),
    )
  })
})

describe('PLAIN_HOST', () => {
  it.for(['localhost', '127.0.0.1:8000', 'API.example.com:64999', 'a_b', 'a-1.b2'])('takes %s', (text) => {
    expect(PLAIN_HOST.test(text)).toBe(true)
  })

  it.for([
    '999.1',
    '1.2.3.4.5',
    '1.2.3.08',
    '256.1.1.1',
    'a.0x1',
    'xn--a',
    'a.XN--zz',
    'a:65536',
    'a.',
    'a..b',
    '',
  ])('leaves %j to be read', (text) => {
    expect(PLAIN_HOST.test(text)).toBe(false)
  })

  it('takes nothing that is not a host', () => {
    const label = fc.oneof(
      fc.stringMatching(/^[\w-]{1,4}$/),
      fc.nat(300).map(String),
      fc.constantFrom('0x1', '08', 'xn--a', 'xn--', '-'),
    )
    const port = fc.oneof(
      fc.constant(''),
      fc.nat(70_000).map((number) => `:${number}`),
    )
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), port, (labels, written) => {
        const host = labels.join('.') + written
        if (PLAIN_HOST.test(host)) expect(readHost(host)).toBeDefined()
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('hostOfCall', () => {
  it('takes the default port of the scheme for one that was not written', () => {
    expect(hostOfCall({ host: 'a', scheme: 'http' })).toEqual({ name: 'a', port: 80 })
    expect(hostOfCall({ host: 'a', scheme: 'https' })).toEqual({ name: 'a', port: 443 })
    expect(hostOfCall({ host: 'a:81', scheme: 'https' })).toEqual({ name: 'a', port: 81 })
    expect(hostOfCall({})).toBeUndefined()
  })
})

describe('readHostPattern', () => {
  const matches = (pattern: string, host: string): boolean | undefined => {
    const called = hostOfCall({ host })
    return called && readHostPattern(pattern)?.matches(called)
  }

  it.for([
    ['api.example.com', 'API.example.com.', true],
    ['api.example.com', 'api.example.com:8443', true],
    ['api.example.com', 'www.api.example.com', false],
    ['*.example.com', 'api.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'badexample.com', false],
    ['*.example.com:8443', 'api.example.com:8443', true],
    ['*.example.com:8443', 'api.example.com', false],
    ['127.0.0.1', '2130706433', true],
    ['[::1]:80', '[0::1]', true],
    ['BÜCHER.example', 'xn--bcher-kva.example', true],
  ] as const)('%s takes %s: %s', ([pattern, host, expected]) => {
    expect(matches(pattern, host)).toBe(expected)
  })

  it.for(['', '*', '**.example.com', 'a.*.com', 'http://a.example', 'a/b', '*.'])('refuses %j', (text) => {
    expect(readHostPattern(text)).toBeUndefined()
  })

  it('weighs a name above a wildcard, a longer wildcard above a shorter, a port above none', () => {
    const patterns = ['*.com', 'b.example.com:80', '*.example.com', 'b.example.com']
    const weight = (text: string): number => readHostPattern(text)?.weight ?? 0
    expect(patterns.toSorted((a, b) => weight(b) - weight(a))).toEqual([
      'b.example.com:80',
      'b.example.com',
      '*.example.com',
      '*.com',
    ])
  })
})

describe('a list of hosts', () => {
  it.for([
    [['api.example.com'], { name: 'api.example.com', port: 443 }, true],
    [['api.example.com'], { name: 'www.example.com', port: 443 }, false],
    [['*.example.com'], { name: 'a.b.example.com', port: 80 }, true],
    [['*.example.com'], { name: 'example.com', port: 80 }, false],
    [['api.example.com:8443'], { name: 'api.example.com', port: 443 }, false],
    [['a.test', '*'], { name: 'anything', port: 1 }, true],
    [[], { name: 'anything', port: 1 }, false],
  ] as const)('%j has %j: %s', ([texts, host, has]) => {
    expect(readHostList('option', texts)(host)).toBe(has)
  })

  it('has no entries that are not hosts, and says whose they are', () => {
    expect(() => readHostList('tls.intercept', ['https://x'])).toThrow(
      /^tls\.intercept takes hosts .*not 'https:\/\/x'$/,
    )
  })
})
