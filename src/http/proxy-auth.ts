import { timingSafeEqual } from 'node:crypto'
import { OptionInvalid, ProxyAuthRequired } from '../errors.ts'
import { digestOf, readBasic } from './credentials.ts'

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
    // Every account is compared, so that the time taken does not tell how many have the name.
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
