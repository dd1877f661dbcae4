import { hash, timingSafeEqual } from 'node:crypto'
import { OptionInvalid, ProxyAuthRequired } from '../errors.ts'

/** Bearer tokens that open something. */
export interface TokenList {
  /** Whether an `Authorization` header presents a listed token, or any token where the list is empty. */
  has(authorization: string): boolean
  /**
   * The scopes that the token of an `Authorization` header carries: those that are listed after it, else those of a JWT;
   * `undefined` where nothing says which it has.
   */
  scopesOf(authorization: string): readonly string[] | undefined
}

const BEARER = /^bearer +(\S+) *$/i

/**
 * The tokens that open something, each with its scopes after it, where it has some, with spaces between. They are
 * compared in one length, and every one of them, so that the time it takes says nothing about a token.
 */
export function createTokenList(tokens: readonly string[]): TokenList {
  const parts = tokens.map((token) => token.trim().split(/ +/))
  const longest = Math.max(0, ...parts.map(([secret = '']) => secret.length))
  const listed = parts.map(([secret = '', ...scopes]) => {
    return { secret, scopes, bytes: written(secret, Buffer.alloc(longest)) }
  })
  const hasScopes = listed.some(({ scopes }) => scopes.length > 0)
  const buffer = Buffer.alloc(longest)
  const find = (presented: string): (typeof listed)[number] | undefined => {
    const given = written(presented, buffer)
    let found: (typeof listed)[number] | undefined
    for (const each of listed)
      // What begins alike may go on, or have other characters of the same bytes.
      if (timingSafeEqual(each.bytes, given) && each.secret === presented) found ??= each
    return found
  }
  return {
    scopesOf(authorization) {
      const presented = bearerOf(authorization)
      if (presented === undefined) return undefined
      const own = hasScopes ? find(presented) : undefined
      return own === undefined || own.scopes.length === 0 ? scopesOfJwt(presented) : own.scopes
    },
    has(authorization) {
      const presented = bearerOf(authorization)
      return presented !== undefined && (listed.length === 0 || find(presented) !== undefined)
    },
  }
}

/** The beginning of a text in a buffer, with zeros after it. */
function written(text: string, buffer: Buffer): Buffer {
  buffer.fill(0, buffer.write(text, 'latin1'))
  return buffer
}

const SCOPE_CLAIMS = ['scope', 'scp', 'scopes', 'permissions']

// What a JWT (RFC 7519) says of itself: whether it was signed is not known here, as no key is.
function scopesOfJwt(token: string): readonly string[] | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
    const given = SCOPE_CLAIMS.map((name) => claims[name]).find((each) => each !== undefined)
    if (typeof given === 'string') return given.split(/ +/)
    return Array.isArray(given) ? given.map(String) : undefined
  } catch {
    return undefined
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
