import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNoProxy } from '../../src/upstream/no-proxy.ts'

describe('NO_PROXY', () => {
  it.for([
    ['example.com', 'example.com', 80, true],
    ['example.com', 'www.example.com', 80, true],
    ['.example.com', 'www.example.com', 80, true],
    ['*.example.com', 'www.example.com', 80, true],
    ['example.com', 'notexample.com', 80, false],
    ['EXAMPLE.com', 'Example.COM.', 80, true],
    ['example.com:8080', 'example.com', 8080, true],
    ['example.com:8080', 'example.com', 80, false],
    ['a.test, b.test c.test', 'c.test', 80, true],
    ['127.0.0.1', '127.0.0.1', 80, true],
    ['127.0.0.1', '1.127.0.0.1', 80, false],
    ['[::1]:3000', '::1', 3000, true],
    ['::1', '::1', 80, true],
    ['10.0.0.0/8', '10.200.3.4', 80, true],
    ['10.0.0.0/8', '11.0.0.1', 80, false],
    ['10.0.0.0/8', 'ten.test', 80, false],
    ['fd00::/8', 'fd12::1', 80, true],
    ['10.0.0.0/99', '10.0.0.1', 80, false],
    ['x/8', 'x', 80, false],
    ['*', 'anything.test', 80, true],
    ['', 'anything.test', 80, false],
  ] as const)('%j says of %s:%i %s', ([text, hostname, port, isDirect]) => {
    expect(readNoProxy(text)(hostname, port)).toBe(isDirect)
  })

  it('takes a domain with all that is below it, and nothing else', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
    fc.assert(
      fc.property(label, label, fc.integer({ min: 1, max: 65_535 }), (above, below, port) => {
        const isDirect = readNoProxy(`${above}.test`)
        expect(isDirect(`${below}.${above}.test`, port)).toBe(true)
        expect(isDirect(`${below}${above}.test`, port)).toBe(false)
      }),
    )
  })
})
