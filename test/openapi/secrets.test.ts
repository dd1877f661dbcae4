import { describe, expect, it } from 'vitest'
import { createHide } from '../../src/openapi/secrets.ts'
import { routes } from './documents.ts'

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
