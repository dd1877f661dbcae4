import { cookieNamed } from '../../engine/links/from-cookie.ts'
import type { LoginOption } from '../../engine/login-option.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import { readBasic } from '../../http/credentials.ts'
import type { HttpRequest } from '../../message.ts'
import type { Collection, Item, Store } from '../../state/store.ts'
import { readIdTemplate } from '../id-template.ts'

/** The users of an API, what they log in with, and the tokens that they were given. */
export interface Accounts {
  user(id: string): Item | undefined
  /** The user whom a token was given to, as long as that is logged in. */
  ofToken(token: string): Item | undefined
  /** The id of the user who is called so, by any of these fields. */
  named(names: Readonly<Record<string, unknown>>): string | undefined
  hasSecret(id: string, secret: unknown): boolean
  setSecret(id: string, secret: unknown): void
  /** Makes a user of who logs in unregistered, whose password may be any until a token is used that was given for one, unless the first holds. */
  enrol(templates: Readonly<Record<string, string>>, user: Item): Item
  isOpen(id: string): boolean
  /** Holds a user to the password that was given last. */
  confirm(id: string): void
  store(id: string, user: Item): void
  /** Whether nobody is known yet. */
  readonly isEmpty: boolean
  /** Logs a user in, and gives the token for that. */
  begin(id: string): string
  end(token: string): void
  /** Gives a refresh token with a token. */
  giveRefresh(id: string, token: string): string
  ofRefresh(refresh: unknown): Refreshable | undefined
  endRefresh(refresh: unknown): void
}

/** Whom a refresh token was given to, and the token that it was given with. */
export interface Refreshable {
  readonly user: Item
  readonly token: string
}

/**
 * The accounts that a store has.
 * @param path of the collection of users, after the host of the route if it has one
 * @param seed what tokens are drawn with
 */
export function accountsIn(
  store: Store,
  path: string,
  { id: field = 'id', tokens: form = '{hex 40}', field: ofKey, holds = false }: LoginOption,
  seed: Seed,
): Accounts {
  // What is stored first makes the collection.
  const known = (): Collection => store.collection(path)
  const secrets = (): Collection => store.collection(`${path}#secrets`)
  const tokens = (): Collection => store.collection(`${path}#tokens`)
  const refreshes = (): Collection => store.collection(`${path}#refreshes`)
  const draw = (kept: Collection, kind: string): string => {
    const ordinal = kept.assigned++
    const stream = contentStream(seed, `${kind} of ${path}`).child(ordinal)
    return readIdTemplate(form)?.(ordinal, stream) ?? String(ordinal)
  }
  const isNamed = (user: Item, names: Item): boolean =>
    Object.entries(names).some(([name, value]) => user[name] !== undefined && user[name] === value)
  return {
    user: (id) => known().get(id),
    ofToken(token) {
      if (ofKey !== undefined) return [...known().items()].find((user) => user[ofKey] === token)
      const id = tokens().get(token)?.['user']
      return typeof id === 'string' ? known().get(id) : undefined
    },
    named(names) {
      for (const user of known().items()) if (isNamed(user, names)) return String(user[field])
      return undefined
    },
    isOpen: (id) => secrets().get(id)?.['isOpen'] === true,
    hasSecret(id, secret) {
      const { secret: own, isOpen = false } = secrets().get(id) ?? {}
      return secret !== undefined && (own === secret || isOpen === true)
    },
    setSecret: (id, secret) => secrets().set(id, { ...secrets().get(id), secret }),
    enrol(templates, user) {
      const ordinal = secrets().assigned++
      const stream = contentStream(seed, `users of ${path}`).child(ordinal)
      const made = Object.entries(templates).map(([name, template]) => {
        const value = readIdTemplate(template)?.(ordinal, stream) ?? ''
        return [name, /^\{\d+\}$/.test(template) ? Number(value) : value] as const
      })
      const whole: Item = { ...user, ...Object.fromEntries(made) }
      known().set(String(whole[field]), whole)
      secrets().set(String(whole[field]), { isOpen: !holds })
      return whole
    },
    confirm(id) {
      const { isOpen, ...kept } = secrets().get(id) ?? {}
      if (isOpen === true) secrets().set(id, kept)
    },
    store: (id, user) => known().set(id, user),
    get isEmpty() {
      return known().size === 0
    },
    begin(id) {
      const token = draw(tokens(), 'tokens')
      tokens().set(token, { user: id })
      return token
    },
    end: (token) => void tokens().delete(token),
    giveRefresh(id, token) {
      const refresh = draw(refreshes(), 'refresh tokens')
      refreshes().set(refresh, { user: id, token })
      return refresh
    },
    ofRefresh(refresh) {
      const { user: id, token } = refreshes().get(String(refresh)) ?? {}
      const user = typeof id === 'string' ? known().get(id) : undefined
      return user && { user, token: String(token) }
    },
    endRefresh: (refresh) => void refreshes().delete(String(refresh)),
  }
}

/** The token that a request has; `undefined` where it has none. */
export function tokenIn(
  { headers, search }: Pick<HttpRequest, 'headers' | 'search'>,
  { header = 'authorization', cookie, query }: LoginOption,
): string | undefined {
  if (cookie !== undefined) return cookieNamed(headers, cookie) || undefined
  const inHeader = lastWord([headers[header.toLowerCase()] ?? ''].flat().join('; '))
  if (inHeader !== undefined || query === undefined) return inHeader
  return new URLSearchParams(search).get(query) || undefined
}

/** What follows the last space of a text, such as the token of `Bearer …`. */
export function lastWord(text: string): string | undefined {
  const trimmed = text.trimEnd()
  return trimmed.split(/\s/).at(-1) || undefined
}

/** Name and password of Basic credentials; those that are not in their form are both themselves. */
export function basicIn(authorization: string | undefined): readonly [string, string] | undefined {
  if (authorization === undefined || !/^basic\b/i.test(authorization)) return undefined
  const whole = lastWord(authorization) ?? ''
  return readBasic(authorization) ?? [whole, whole]
}
