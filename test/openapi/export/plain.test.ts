import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plain, plainEntries, plainLink, createHide } from '../../../src/openapi/export/plain.ts'
import { routes } from '../documents.ts'

describe('plain', () => {
  it.for([
    [{ a: undefined, b: () => 1, c: Symbol('c'), d: 1 }, { d: 1 }],
    [
      [1, undefined, () => 1, 'x'],
      [1, 'x'],
    ],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [{ maximum: Infinity, minimum: Number.NaN }, {}],
    [null, null],
  ] as const)('makes %j what JSON can carry', ([value, expected]) => {
    expect(plain(value)).toEqual(expected)
  })

  it('makes a bigint a number', () => {
    expect(plain({ size: 12n })).toEqual({ size: 12 })
  })

  it('leaves nothing that a round trip through JSON changes', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBigInt: true }), (value) => {
        const made = plain({ value })
        expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
      }),
    )
  })

  it('keeps a key called __proto__ as a key', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as object
    expect(JSON.stringify(plain(value))).toBe('{"__proto__":{"a":1}}')
  })
})

describe('plainEntries', () => {
  it('drops entries without a value and keeps null', () => {
    expect(
      plainEntries([
        ['a', undefined],
        ['b', null],
      ]),
    ).toEqual({ b: null })
  })
})

describe('plainLink', () => {
  it('keeps the name of a link that had only functions for arguments', () => {
    expect(plainLink({ custom: () => 1 })).toEqual({ custom: [] })
    expect(plainLink({ custom: ['a', () => 1] })).toEqual({ custom: ['a'] })
  })
})

const hideWith = (...bearerTokens: string[]) =>
  createHide(routes(['GET', '/a', { bearerTokens }], ['GET', '/b']))

describe('createHide', () => {
  it('hides tokens at any depth, in keys too', () => {
    const hide = hideWith('secret-token', 'secret-token-2')
    const value = { a: ['Bearer secret-token', 1, null, true], 'secret-token-2': { b: 'xsecret-token-2y' } }
    expect(hide(value)).toEqual({ a: ['Bearer ***', 1, null, true], '***': { b: 'x***y' } })
  })

  it('hides a short token where it stands alone', () => {
    expect(hideWith('t')('Bearer t, the token')).toBe('Bearer ***, the token')
  })

  it('takes a token for text and not for an expression', () => {
    expect(hideWith('a.b(c)*+/=')('a.b(c)*+/= axb')).toBe('*** axb')
  })

  it('leaves everything as it is when no route has a token', () => {
    const value = { a: 'Bearer t' }
    expect(hideWith()(value)).toBe(value)
  })
})
