import type { Input } from '../../engine/input.ts'
import { type LoginOption, namingFields } from '../../engine/login-option.ts'
import type { Seed } from '../../engine/random.ts'
import type { Match, RouteDefinition } from '../../engine/route.ts'
import { memberAt, withMember } from '../../engine/schema/member.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { Forbidden, LoginFailed, TokenUnknown, Unauthorized } from '../../errors.ts'
import type { Answer, HttpRequest } from '../../message.ts'
import type { Item, Store } from '../../state/store.ts'
import { addressOf } from '../address.ts'
import { idText } from '../item-operations.ts'
import { type Accounts, accountsIn, basicIn, tokenIn } from './accounts.ts'

/** Answers a request of a route that may store items. */
type Answers = (request: HttpRequest, match: Match, input: Input, store: Store) => Answer

/**
 * Answers requests of a route that knows users: refuses those who may not send them, and keeps who is logged in.
 * @param answer answers those that are not refused
 * @param seed what tokens are drawn with
 */
export function withLogin(
  route: RouteDefinition,
  login: LoginOption,
  routes: readonly RouteDefinition[],
  answer: Answers,
  seed: Seed,
): Answers & Lookups {
  const { does, secret, renews, owner, only = {}, id = 'id', optional = false, first } = login
  const path = (route.options.host ?? '') + login.users
  const isBeginning = does === 'begin' || does === 'refresh'
  const needsUser = does !== 'register' && !isBeginning && !optional
  const isOwned = createOwned(route, routes, owner)
  const shown = login.user === undefined ? undefined : readPointer(login.user)
  const idOf = (user: Item | undefined): string => idText(user?.[id])
  const admit = (request: HttpRequest, match: Match, store: Store): Admitted => {
    const accounts = accountsIn(store, path, login, seed)
    const token = tokenIn(request, login)
    const caller = token === undefined ? undefined : accounts.ofToken(token)
    if (caller !== undefined) accounts.confirm(idOf(caller))
    if (needsUser && caller === undefined) throw token === undefined ? new Unauthorized() : new TokenUnknown()
    const user =
      does === 'begin'
        ? loggingIn(request, accounts, login)
        : does === 'refresh'
          ? refreshing(request, accounts, login)
          : caller
    if (!Object.entries(only).every(([name, values]) => values.includes(user?.[name]))) throw new Forbidden()
    if (user !== undefined && isOwned?.(request, match, store, idOf(user)) === false) throw new Forbidden()
    return { accounts, token, user }
  }
  const handle: Answers = (request, match, input, store) => {
    const { accounts, token, user } = admit(request, match, store)
    const sent = sentIn(request, login)
    if (renews !== undefined && secret !== undefined && !accounts.hasSecret(idOf(user), sent[secret]))
      throw failed('secret_wrong')
    const own = owner !== undefined && user !== undefined ? { ...input, [owner]: user[id] } : input
    const { isEmpty } = accounts
    const given = answer(withUser(request, user), match, own, store)
    if (does === 'end' && token !== undefined) accounts.end(token)
    if (does === 'refresh') spend(sent[secret ?? ''], accounts, login)
    const newcomer =
      does === 'begin' && user === undefined ? enrolled(given.body, sent, shown, accounts, login) : undefined
    const made = does === 'register' ? memberAt(given.body, [...(shown ?? []), id]) : (newcomer ?? user)?.[id]
    const maker = does === 'register' && made !== undefined ? accounts.user(idText(made)) : (newcomer ?? user)
    const current =
      does === 'change' && maker !== undefined
        ? changed(maker, sent, login)
        : isEmpty && first !== undefined && maker !== undefined
          ? { ...maker, ...first }
          : maker
    if (current !== undefined && current !== maker) accounts.store(idOf(current), current)
    if (renews !== undefined) accounts.setSecret(idOf(user), sent[renews])
    const body =
      shown === undefined || current === undefined ? given.body : withShown(given.body, shown, current)
    const isGiving = does === 'register' || isBeginning || login.token !== undefined
    if (!isGiving) return shown === undefined ? given : { ...plain(given), body }
    if (made === undefined) return given
    if ((does === 'register' || login.enrols !== undefined) && secret !== undefined)
      accounts.setSecret(idText(made), sent[secret])
    return begun(given, body, idText(made), accounts, login)
  }
  return Object.assign(handle, {
    find(request: HttpRequest, match: Match, store: Store) {
      // What somebody logs in with is looked at when it is whole.
      if (!isBeginning) admit(request, match, store)
    },
    user(request: HttpRequest, store: Store) {
      const accounts = accountsIn(store, path, login, seed)
      if (does === 'begin') return userNamed(request, accounts, login)
      if (does === 'refresh') return accounts.ofRefresh(sentIn(request, login)[login.secret ?? ''])?.user
      const token = tokenIn(request, login)
      return token === undefined ? undefined : accounts.ofToken(token)
    },
  })
}

/** What is known before a request is answered. */
interface Lookups {
  /** @throws what refuses who sends it */
  readonly find: (request: HttpRequest, match: Match, store: Store) => void
  readonly user: (request: HttpRequest, store: Store) => Item | undefined
}

/** A request that is not refused. */
interface Admitted {
  readonly accounts: Accounts
  readonly token: string | undefined
  readonly user: Item | undefined
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

/**
 * @returns `undefined` for somebody new, where nobody has to be registered
 * @throws LoginFailed
 */
function loggingIn(request: HttpRequest, accounts: Accounts, login: LoginOption): Item | undefined {
  const { by = {}, secret = '' } = login
  const sent = sentIn(request, login)
  const names = namingFields(by).flatMap(([member, field]) =>
    sent[member] === undefined ? [] : [[field, sent[member]] as const],
  )
  const id = accounts.named(Object.fromEntries(names))
  const user = id === undefined ? undefined : accounts.user(id)
  if (id === undefined && names.length > 0 && login.enrols !== undefined) return undefined
  if (id === undefined || user === undefined) throw failed('user_unknown')
  if (!accounts.hasSecret(id, sent[secret])) throw failed('secret_wrong')
  return user
}

/** @throws LoginFailed */
function refreshing(request: HttpRequest, accounts: Accounts, login: LoginOption): Item {
  const { user } = accounts.ofRefresh(sentIn(request, login)[login.secret ?? '']) ?? {}
  if (user === undefined) throw failed('secret_wrong')
  accounts.confirm(idText(user[login.id ?? 'id']))
  return user
}

// Answers without another refresh token leave it to be used again.
function spend(refresh: unknown, accounts: Accounts, login: LoginOption): void {
  const { token } = accounts.ofRefresh(refresh) ?? {}
  if (login.revokes === true && token !== undefined) accounts.end(token)
  if (login.refresh !== undefined) accounts.endRefresh(refresh)
}

// A user as the answer shows one, called as was sent.
function enrolled(
  body: unknown,
  sent: Item,
  shown: readonly string[] | undefined,
  accounts: Accounts,
  { by = {}, enrols = {} }: LoginOption,
): Item {
  const user = shown && memberAt(body, shown)
  const names = Object.entries(by).map(([member, fields]) => [[fields].flat()[0], sent[member]])
  return accounts.enrol(enrols, { ...(isObject(user) ? user : {}), ...Object.fromEntries(names) })
}

function sentIn({ body, headers }: HttpRequest, login: LoginOption): Item {
  const { body: place, basic = false, by = {}, secret = '' } = login
  const sent = place === undefined ? body : memberAt(body, readPointer(place))
  const own = isObject(sent) ? sent : {}
  const credentials = basic ? basicIn([headers['authorization']].flat()[0]) : undefined
  const [name = ''] = Object.keys(by)
  return credentials === undefined ? own : { ...own, [name]: credentials[0], [secret]: credentials[1] }
}

// Whose password may be any is not known by it.
function userNamed(request: HttpRequest, accounts: Accounts, login: LoginOption): Item | undefined {
  try {
    const user = loggingIn(request, accounts, login)
    return accounts.isOpen(idText(user?.[login.id ?? 'id'])) ? undefined : user
  } catch (error) {
    if (LoginFailed.is(error)) return undefined
    throw error
  }
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
  const { token: pointer, cookie, refresh } = login
  const token = pointer === undefined && cookie === undefined ? '' : accounts.begin(id)
  const path = pointer === undefined ? undefined : readPointer(pointer)
  const withToken = path === undefined || !isObject(body) ? body : withMember(body, path, token)
  const whole =
    refresh === undefined || !isObject(withToken)
      ? withToken
      : withMember(withToken, readPointer(refresh), accounts.giveRefresh(id, token))
  const set =
    cookie === undefined ? {} : { 'set-cookie': `${cookie}=${token}; Path=/; HttpOnly; SameSite=Lax` }
  return { ...plain(given), headers: { ...given.headers, ...set }, body: whole }
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
