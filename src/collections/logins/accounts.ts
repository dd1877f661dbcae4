import { createHash } from 'node:crypto'
import type { LoginOption } from '../../engine/login-option.ts'
import type { Headers } from '../../message.ts'
import type { Item, Store } from '../../state/store.ts'

/** The users of an API, what they log in with, and the tokens that they were given. */
export interface Accounts {
  user(id: string): Item | undefined
  /** The user whom a token was given to, as long as that is logged in. */
  ofToken(token: string): Item | undefined
  /** The id of the user who is called so, by any of these fields. */
  named(names: Readonly<Record<string, unknown>>): string | undefined
  hasSecret(id: string, secret: unknown): boolean
  setSecret(id: string, secret: unknown): void
  store(id: string, user: Item): void
  /** Logs a user in with a token; with another one where somebody else has it, or none is given. */
  begin(id: string, token?: string): string
  end(token: string): void
}

/** The accounts that a store has. @param host that of the route, if it has one */
export function accountsIn(store: Store, { users, id: field = 'id' }: LoginOption, host = ''): Accounts {
  const path = host + users
  const known = store.collection(path)
  const secrets = store.collection(`${path}#secrets`)
  const tokens = store.collection(`${path}#tokens`)
  const isNamed = (user: Item, names: Item): boolean =>
    Object.entries(names).some(([name, value]) => user[name] !== undefined && user[name] === value)
  return {
    user: (id) => known.get(id),
    ofToken(token) {
      const id = tokens.get(token)?.['user']
      return typeof id === 'string' ? known.get(id) : undefined
    },
    named(names) {
      for (const user of known.items()) if (isNamed(user, names)) return String(user[field])
      return undefined
    },
    hasSecret: (id, secret) => secret !== undefined && secrets.get(id)?.['secret'] === secret,
    setSecret: (id, secret) => secrets.set(id, { secret }),
    store: (id, user) => known.set(id, user),
    begin(id, token) {
      const other = token === undefined ? undefined : tokens.get(token)?.['user']
      const isFree = token !== undefined && (other === undefined || other === id)
      const own = isFree ? token : tokenAfter(`${path} ${tokens.assigned++}`)
      tokens.set(own, { user: id })
      return own
    },
    end: (token) => void tokens.delete(token),
  }
}

/** The token that a request has; `undefined` where it has none. */
export function tokenIn(headers: Headers, { header = 'authorization', cookie }: LoginOption): string | undefined {
  const value = [headers[cookie === undefined ? header.toLowerCase() : 'cookie'] ?? ''].flat().join('; ')
  if (cookie === undefined) return /(\S+)\s*$/.exec(value)?.[1]
  for (const pair of value.split(';')) {
    const [, name, text] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    if (name === cookie && text !== '') return text
  }
  return undefined
}

// What nobody can guess who does not know it is of no use in a simulation, and what comes again is.
function tokenAfter(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}
