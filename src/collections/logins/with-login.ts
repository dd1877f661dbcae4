import type { Input } from '../../engine/input.ts'
import type { LoginOption } from '../../engine/login-option.ts'
import type { Match, RouteDefinition } from '../../engine/route.ts'
import { memberAt, withMember } from '../../engine/schema/member.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { Forbidden, LoginFailed, TokenUnknown, Unauthorized } from '../../errors.ts'
import type { Answer, HttpRequest } from '../../message.ts'
import type { Item, Store } from '../../state/store.ts'
import { addressOf } from '../address.ts'
import { idText } from '../item-operations.ts'
import { type Accounts, accountsIn, tokenIn } from './accounts.ts'

/** Answers a request of a route that may store items. */
type Answers = (request: HttpRequest, match: Match, input: Input, store: Store) => Answer

/**
 * Answers requests of a route that knows users: refuses those who may not send them, and keeps who is logged in.
 * @param answer answers those that are not refused
 */
export function withLogin(
  route: RouteDefinition,
  login: LoginOption,
  routes: readonly RouteDefinition[],
  answer: Answers,
): Answers {
  const { does, secret, renews, owner, only = {}, id = 'id', optional = false } = login
  const { host } = route.options
  const needsUser = does !== 'register' && does !== 'begin' && !optional
  const isOwned = createOwned(route, routes, owner)
  const shown = login.user === undefined ? undefined : readPointer(login.user)
  const idOf = (user: Item | undefined): string => idText(user?.[id])
  return (request, match, input, store) => {
    const accounts = accountsIn(store, login, host)
    const token = tokenIn(request.headers, login)
    const caller = token === undefined ? undefined : accounts.ofToken(token)
    if (needsUser && caller === undefined) throw token === undefined ? new Unauthorized() : new TokenUnknown()
    const user = does === 'begin' ? loggingIn(request, accounts, login) : caller
    if (!Object.entries(only).every(([name, values]) => values.includes(user?.[name]))) throw new Forbidden()
    if (user !== undefined && isOwned?.(request, match, store, idOf(user)) === false) throw new Forbidden()
    const sent = isObject(request.body) ? request.body : {}
    if (renews !== undefined && secret !== undefined && !accounts.hasSecret(idOf(user), sent[secret]))
      throw failed('secret_wrong')
    const own = owner !== undefined && user !== undefined ? { ...input, [owner]: user[id] } : input
    const given = answer(withUser(request, user), match, own, store)
    if (does === 'end' && token !== undefined) accounts.end(token)
    const current = does === 'change' && user !== undefined ? changed(user, sent, login) : user
    if (current !== undefined && current !== user) accounts.store(idOf(current), current)
    if (renews !== undefined) accounts.setSecret(idOf(user), sent[renews])
    const body =
      shown === undefined || current === undefined ? given.body : withShown(given.body, shown, current)
    if (does !== 'register' && does !== 'begin') return shown === undefined ? given : { ...plain(given), body }
    const made = memberAt(body, [...(shown ?? []), id]) ?? idOf(user)
    if (made === undefined) return given
    if (does === 'register' && secret !== undefined) accounts.setSecret(idText(made), sent[secret])
    return begun(given, body, idText(made), accounts, login)
  }
}

// Whether the item that a request is about, or what it sends, is the user's; absent where that does not matter.
function createOwned(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  owner: string | undefined,
): ((request: HttpRequest, match: Match, store: Store, user: string) => boolean) | undefined {
  if (owner === undefined) return undefined
  const address = addressOf(route, routes)
  return ({ body }, { params }, store, user) => {
    const item =
      address.kind === 'item'
        ? store.collection(address.collection(params)).get(address.id(params))
        : isObject(body)
          ? body
          : undefined
    const whose = item?.[owner]
    return whose === undefined || idText(whose) === user
  }
}

function failed(type: string): LoginFailed {
  return new LoginFailed([{ type, loc: ['body'], msg: 'Unauthorized', input: undefined }])
}

/** @throws LoginFailed */
function loggingIn({ body }: HttpRequest, accounts: Accounts, { by = {}, secret = '' }: LoginOption): Item {
  const sent = isObject(body) ? body : {}
  const names = Object.entries(by).flatMap(([member, field]) =>
    sent[member] === undefined ? [] : [[field, sent[member]] as const],
  )
  const id = accounts.named(Object.fromEntries(names))
  const user = id === undefined ? undefined : accounts.user(id)
  if (id === undefined || user === undefined) throw failed('user_unknown')
  if (!accounts.hasSecret(id, sent[secret])) throw failed('secret_wrong')
  return user
}

function changed(user: Item, sent: Item, { secret = '', renews = '', id = 'id' }: LoginOption): Item {
  const { [secret]: _secret, [renews]: _renews, [id]: _id, ...rest } = sent
  return { ...user, ...rest }
}

// What an answer shows of a user is what the user has of that.
function withShown(body: unknown, path: readonly string[], user: Item): unknown {
  const shown = memberAt(body, path)
  if (!isObject(shown)) return body
  const own = Object.fromEntries(
    Object.keys(shown).map((name) => [name, Object.hasOwn(user, name) ? user[name] : shown[name]]),
  )
  return path.length === 0 ? own : withMember(body as Item, path, own)
}

function begun(given: Answer, body: unknown, id: string, accounts: Accounts, login: LoginOption): Answer {
  const path = login.token === undefined ? undefined : readPointer(login.token)
  const text = path && memberAt(body, path)
  const token = path && accounts.begin(id, isToken(text) ? text : undefined)
  const withToken = path === undefined || !isObject(body) ? body : withMember(body, path, token)
  const cookie =
    login.cookie === undefined
      ? {}
      : { 'set-cookie': `${login.cookie}=${accounts.begin(id)}; Path=/; HttpOnly; SameSite=Lax` }
  return { ...plain(given), headers: { ...given.headers, ...cookie }, body: withToken }
}

function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^\S{16,}$/.test(text)
}

// Its body is another, and so is its text.
function plain({ status, headers }: Answer): Answer {
  return { status, headers }
}

function withUser(request: HttpRequest, user: Item | undefined): HttpRequest {
  if (user === undefined) return request
  const { method, scheme, host, prefix, path, search, headers, body, moment } = request
  return {
    ...{ method, scheme, host, path, search, headers, body, loggedIn: user },
    ...(prefix !== undefined && { prefix }),
    ...(moment !== undefined && { moment }),
  }
}
