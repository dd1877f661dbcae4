import { hash, timingSafeEqual } from 'node:crypto'
import { OptionInvalid, ProxyAuthRequired } from '../errors.ts'

/** Bearer tokens, kept as digests. */
export interface TokenList {
  /** Whether an `Authorization` header presents a listed token, or any token where the list is empty. */
  has(authorization: string): boolean
}

const BEARER = /^bearer +(\S+) *$/i

/**
 * The tokens that open something. Digests have one length, so that the time of a comparison says nothing about a token;
 * every token is compared.
 */
export function createTokenList(tokens: readonly string[]): TokenList {
  const digests = tokens.map(digestOf)
  return {
    has(authorization) {
      const presented = bearerOf(authorization)
      if (presented === undefined) return false
      if (digests.length === 0) return true
      const digest = digestOf(presented)
      let isListed = false
      for (const each of digests) if (timingSafeEqual(each, digest)) isListed = true
      return isListed
    },
  }
}

/** The token of an `Authorization` header (RFC 6750, section 2.1). */
export function bearerOf(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1]
}

/** As `bearerOf`, but only of a token in its proper form (RFC 6750, section 2.1). */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1]
}

/** Whether a header holds a name and a password with a colon between them, in Base64 (RFC 7617, section 2). */
export function hasBasic(authorization: string): boolean {
  return readBasic(authorization) !== undefined
}

/** Name and password of Basic credentials (RFC 7617, section 2). */
export function readBasic(authorization: string): readonly [name: string, password: string] | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

/** What a secret is compared by. */
export function digestOf(text: string): Buffer {
  // Through a string, which Node makes in a third of the time.
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}

/**
 * Reads who a client says it is from its `Proxy-Authorization`.
 * @throws ProxyAuthRequired when the proxy has accounts and this is not one of them
 */
export type AuthenticateClient = (authorization: string | undefined) => string | undefined

/**
 * The accounts of the proxy itself, each `user:password`; `*` as user takes any name. Without accounts anyone may come,
 * and may say a name.
 * @throws OptionInvalid when one is not `user:password`; the message names the option and does not repeat the value
 */
export function createProxyAuth(accounts: readonly string[] = [], option = 'proxyAuth'): AuthenticateClient {
  const known = accounts.map((account) => {
    const [user, password] = split(account)
    if (user === '' || password === undefined || password === '')
      throw new OptionInvalid(
        `${option} takes user:password, or *:password for any user; one of them is neither`,
      )
    return { user, password: digestOf(password) }
  })
  return (authorization) => {
    const [user, password] = readBasic(authorization ?? '') ?? ['', '']
    if (known.length === 0) return user === '' ? undefined : user
    const given = digestOf(password)
    // Every account is compared, so that the time taken does not say how many have the name.
    const fitting = known.filter(
      (account) =>
        timingSafeEqual(account.password, given) && (account.user === '*' || account.user === user),
    )
    if (fitting.length === 0 || user === '') throw new ProxyAuthRequired()
    return user
  }
}

function split(account: string): readonly [user: string, password: string | undefined] {
  const colon = account.indexOf(':')
  return colon < 0 ? [account, undefined] : [account.slice(0, colon), account.slice(colon + 1)]
}
