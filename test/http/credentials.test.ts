import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProxyAuth, createTokenList } from '../../src/http/credentials.ts'
import { ProxyAuthRequired } from '../../src/errors.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('the accounts of the proxy', () => {
  it('let in who is one of them, by name', () => {
    const readUser = createProxyAuth(['ada:se:cret', '*:shared'])
    expect(readUser(basic('ada:se:cret'))).toBe('ada')
    expect(readUser(basic('ada:shared'))).toBe('ada')
    expect(readUser(basic('worker-1:shared'))).toBe('worker-1')
  })

  it.for([
    undefined,
    '',
    'Basic',
    'Basic !',
    'Bearer x',
    basic('ada'),
    basic('ada:'),
    basic(':shared'),
    basic('eve:secret'),
  ])('keep out %j', (authorization) => {
    expect(() => createProxyAuth(['ada:secret', '*:shared'])(authorization)).toThrow(ProxyAuthRequired)
  })

  it('let in anyone where there are none, by the name they say', () => {
    const readUser = createProxyAuth()
    expect(readUser(undefined)).toBeUndefined()
    expect(readUser('Basic x')).toBeUndefined()
    expect(readUser(basic('worker-1:any'))).toBe('worker-1')
  })

  it('never throw anything else, whatever comes', () => {
    const readUser = createProxyAuth(['ada:secret'])
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string().map(basic)), (authorization) => {
        try {
          expect(readUser(authorization)).toBe('ada')
        } catch (error) {
          expect(error).toBeInstanceOf(ProxyAuthRequired)
        }
      }),
    )
  })

  it.for(['ada', 'ada:', ':secret'])('cannot be %s, which the message does not repeat', (account) => {
    expect(() => createProxyAuth([account])).toThrow(
      /^proxyAuth takes user:password, .* one of them is neither$/,
    )
  })
})

describe('listed bearer tokens', () => {
  it('are those that are listed and no other, however alike', () => {
    const character = fc.constantFrom('a', 'b', '\u{141}', '\0', '\u{e9}', '\u{1e9}')
    const token = fc.string({ unit: character, minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 3 }), token, (tokens, presented) => {
        expect(createTokenList(tokens).has(`Bearer ${presented}`)).toBe(tokens.includes(presented))
      }),
      { numRuns: 2000 },
    )
  })

  it('carry the scopes that stand after them', () => {
    const tokens = createTokenList(['one', 'other read  write'])
    expect(tokens.scopesOf('Bearer other')).toEqual(['read', 'write'])
    expect(tokens.scopesOf('Bearer one')).toBeUndefined()
    expect(tokens.scopesOf('Bearer othe')).toBeUndefined()
  })
})
