import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { NamedBy } from '../../../engine/login-option.ts'
import { entryOf, groupBy, mostFrequent } from '../../../grouping.ts'
import { isHidden } from '../../redaction/secrets.ts'
import type { Item } from '../item-place.ts'
import { learnIds } from '../learn-ids.ts'
import type { Sample } from '../sample.ts'
import { isScalar } from '../values.ts'
import {
  type Carrier,
  cookiesSet,
  credentialsIn,
  leavesIn,
  operationOf,
  secretsIn,
  sentIn,
} from './credentials.ts'

/** A user that a request made. */
export interface KnownUser {
  readonly id: string
  /** As the answer that made it shows it, with what was sent besides. */
  readonly fields: Item
  readonly madeAt: number
}

/** An operation that makes users, logs them in, or gives them new tokens for refresh tokens. */
export interface LoginOperation {
  readonly does: 'register' | 'begin' | 'refresh'
  readonly samples: readonly Sample[]
  readonly secret: string
  /** The template of the tokens that it gives, where that is known. */
  readonly tokens?: string | undefined
  /** What the first user has otherwise than all others. */
  readonly first?: Item | undefined
  /** Templates of what users get by logging in, by fields, where nobody registered them. */
  readonly enrols?: Readonly<Record<string, string>> | undefined
  /** The names that lead to the user's id in answers, if they have it, and to a token. */
  readonly idPath?: readonly string[] | undefined
  readonly tokenPath?: readonly string[] | undefined
  readonly refreshPath?: readonly string[]
  /** Whether the token before ends with it. */
  readonly revokes?: boolean
  /** As of all users, where this one names them by another member. */
  readonly by?: NamedBy
  readonly basic?: boolean
}

/** Whom an answer gave tokens, and which of them it ended. */
export interface Given {
  readonly user: string
  readonly tokens: readonly string[]
  readonly spends?: readonly string[]
}

/** The users that a recording shows, and how they are made and logged in. */
export interface FoundUsers {
  readonly operations: ReadonlyMap<string, LoginOperation>
  readonly users: ReadonlyMap<string, KnownUser>
  readonly carrier: Carrier
  /** The name of the members of bodies that name a user who logs in, by the fields that users have them in. */
  readonly by: NamedBy
  /** The field of users that has their id. */
  readonly idName: string
  /** The user whom an answer gave a token to, and the tokens. */
  readonly givenBy: ReadonlyMap<Sample, Given>
}

const ID_NAME = /^(_?id|uid|uuid|user_?id|sub)$/i

/** Finds users that were made by requests with passwords, and logged in with these. */
export function findUsers(samples: readonly Sample[]): FoundUsers | undefined {
  const used = usedTokens(samples)
  const isLater = (token: unknown, { index }: Sample): boolean =>
    typeof token === 'string' && (used.get(token)?.last ?? -1) > index
  const fine = samples.filter(
    ({ method, status, body }) => method === 'POST' && status < 300 && secretsIn(body).length === 1,
  )
  const byId = [...groupBy(fine, operationOf)].map(([key, own]) => {
    const tokenPath = mostFrequentPath(
      own.flatMap((sample) =>
        leavesIn(sample.response).flatMap(({ path, value }) => (isLater(value, sample) ? [path] : [])),
      ),
    )
    return { key, own, tokenPath, idPath: idPathOf(own, tokenPath) }
  })
  const groups = byId.some(({ idPath }) => idPath !== undefined) ? byId : byNames(byId)
  const tokenName = groups.find(({ tokenPath }) => tokenPath !== undefined)?.tokenPath
  const known = new Map<string, number>()
  for (const { own, idPath } of groups)
    for (const sample of own) {
      const id = idAt(sample, idPath)
      if (id !== undefined) known.set(id, Math.min(known.get(id) ?? Infinity, sample.index))
    }
  const makes = ({ own, idPath }: (typeof groups)[number]): boolean =>
    idPath !== undefined && own.every((sample) => known.get(idAt(sample, idPath) ?? '') === sample.index)
  const users = new Map<string, KnownUser>()
  for (const group of groups.filter(makes))
    for (const sample of group.own) {
      const path = group.idPath ?? []
      const id = idAt(sample, path) ?? ''
      const shown = memberAt(sample.response, path.slice(0, -1))
      const sent = Object.fromEntries(
        Object.entries(sentIn(sample.body)).filter(([name]) => !secretsIn(sample.body).includes(name)),
      )
      users.set(id, { id, fields: { ...sent, ...(isObject(shown) ? shown : {}) }, madeAt: sample.index })
    }
  const operations = new Map<string, LoginOperation>()
  const names = new Map<string, Set<string>>()
  const givenBy = new Map<Sample, { user: string; tokens: readonly string[] }>()
  const carriers: Carrier[] = []
  for (const group of groups) {
    const does = makes(group) ? 'register' : 'begin'
    const [secret = ''] = secretsIn(group.own[0]?.body)
    const given = group.own.map((sample) => {
      const own = group.tokenPath && memberAt(sample.response, group.tokenPath)
      const all = [own, ...cookiesSet(sample).values()].filter((each) => typeof each === 'string')
      const user = userOf(sample, group.idPath, users)
      return { sample, user, tokens: all.filter((token) => used.has(token)), all }
    })
    const isGiving = given.some(({ tokens }) => tokens.length > 0)
    if (does === 'begin' && (!isGiving || given.some(({ user }) => user === undefined))) continue
    const { own, idPath } = group
    // What nobody used may be a token, too.
    const isSame =
      tokenName !== undefined &&
      own.every(({ response }) => typeof memberAt(response, tokenName) === 'string')
    const tokenPath = group.tokenPath ?? (isSame ? tokenName : undefined)
    const tokens = tokenTemplate(own, tokenPath)
    const first = does === 'register' ? firstOf(own, idPath?.slice(0, -1) ?? []) : undefined
    operations.set(group.key, { ...{ does, samples: own, secret, idPath, tokenPath, tokens }, first })
    for (const { sample, user, tokens, all } of given) {
      if (user === undefined) continue
      givenBy.set(sample, { user: user.id, tokens: all })
      carriers.push(...tokens.flatMap((token) => used.get(token)?.carrier ?? []))
      if (does !== 'begin') continue
      for (const [member, field] of namesOf(sample, user, secret))
        entryOf(names, member, () => new Set<string>()).add(field)
    }
  }
  const by = Object.fromEntries(
    [...names].map(([member, [field = '', ...others]]) => [
      member,
      others.length === 0 ? field : [field, ...others],
    ]),
  )
  const carrier = mostFrequentCarrier(carriers)
  const isLogging = [...operations.values()].some(({ does }) => does === 'begin')
  if (carrier === undefined || users.size < 2 || !isLogging || Object.keys(by).length === 0) return undefined
  const makers = [...operations.values()].filter(({ does }) => does === 'register')
  const idName = makers.flatMap(({ idPath }) => idPath?.at(-1) ?? [])[0] ?? 'id'
  return { operations, users, by, givenBy, idName, carrier }
}

/** The tokens that requests have, where they have them, and the last request with each. */
export function usedTokens(
  samples: readonly Sample[],
): ReadonlyMap<string, { readonly carrier: Carrier; readonly last: number }> {
  const used = new Map<string, { readonly carrier: Carrier; readonly last: number }>()
  for (const sample of samples)
    for (const { carrier, token } of credentialsIn(sample)) used.set(token, { carrier, last: sample.index })
  return used
}

/** Where most of some tokens were. */
export function mostFrequentCarrier(carriers: readonly Carrier[]): Carrier | undefined {
  const found = mostFrequent(carriers.map((each) => JSON.stringify(each)))
  return found === undefined ? undefined : (JSON.parse(found) as Carrier)
}

/** The template of the tokens that answers give, where they are not hidden. */
export function tokenTemplate(
  own: readonly Sample[],
  tokenPath: readonly string[] | undefined,
): string | undefined {
  const texts =
    tokenPath === undefined ? [] : own.map(({ response }) => String(memberAt(response, tokenPath)))
  return texts.some(isHidden) ? undefined : learnIds([texts], [])
}

interface Group {
  readonly key: string
  readonly own: readonly Sample[]
  readonly tokenPath: readonly string[] | undefined
  readonly idPath: readonly string[] | undefined
}

/** The names of what users are called by, the likelier ones first. */
export const NAMES = [
  'username',
  'user_name',
  'userName',
  'login',
  'handle',
  'nickname',
  'name',
  'email',
  'mail',
]

// Users without ids are known by what they are called, which some requests send and all answers show.
function byNames(groups: readonly Group[]): readonly Group[] {
  for (const name of NAMES) {
    const named = groups.map((group) => ({ ...group, idPath: pathNamed(group.own, name) }))
    const isSent = named.some(
      ({ own, idPath }) =>
        idPath !== undefined &&
        own.every(({ body, response }) => sentIn(body)[name] === memberAt(response, idPath)),
    )
    if (isSent && named.every(({ idPath }) => idPath !== undefined)) return named
  }
  return groups
}

function pathNamed(own: readonly Sample[], name: string): readonly string[] | undefined {
  return leavesIn(own[0]?.response)
    .map(({ path }) => path)
    .filter((path) => path.at(-1) === name)
    .filter((path) => own.every(({ response }) => typeof memberAt(response, path) === 'string'))
    .toSorted((a, b) => a.length - b.length)[0]
}

/** The path of names that most of some are. */
export function mostFrequentPath(paths: readonly (readonly string[])[]): readonly string[] | undefined {
  const found = mostFrequent(paths.map((path) => JSON.stringify(path)))
  return found === undefined ? undefined : (JSON.parse(found) as readonly string[])
}

/** The names that lead to a user's id. That of an object within comes before what an answer says of itself. */
export function idPathOf(
  own: readonly Sample[],
  token: readonly string[] | undefined,
): readonly string[] | undefined {
  const [first] = own
  const paths = leavesIn(first?.response)
    .map(({ path }) => path)
    .filter((path) => ID_NAME.test(path.at(-1) ?? '') && path.join('/') !== token?.join('/'))
    .filter((path) => own.every(({ response }) => isScalar(memberAt(response, path))))
  const rank = (path: readonly string[]): number =>
    path.length === 2 && /user|account|member|profile|data/i.test(path[0] ?? '')
      ? 0
      : /user/i.test(path.at(-1) ?? '')
        ? 1
        : 1 + path.length
  return paths.toSorted((a, b) => rank(a) - rank(b))[0]
}

// What is never sent, and the same for all users but for the first one.
function firstOf(own: readonly Sample[], path: readonly string[]): Item | undefined {
  const [first, second, ...others] = own.map(({ response }) => memberAt(response, path))
  if (!isObject(first) || !isObject(second) || others.length === 0) return undefined
  const isSent = (name: string): boolean =>
    own.some(({ body }) => isObject(body) && Object.hasOwn(body, name))
  const found = Object.entries(first).filter(
    ([name, value]) =>
      !isSent(name) &&
      (typeof value === 'string' || typeof value === 'boolean') &&
      value !== second[name] &&
      others.every((other) => isObject(other) && other[name] === second[name]),
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The id that an answer has in a place, as a text. */
export function idAt(
  { response }: Pick<Sample, 'response'>,
  path: readonly string[] | undefined,
): string | undefined {
  const id = path && memberAt(response, path)
  return isScalar(id) ? String(id) : undefined
}

function userOf(
  { response, body }: Sample,
  idPath: readonly string[] | undefined,
  users: ReadonlyMap<string, KnownUser>,
): KnownUser | undefined {
  const id = idAt({ response }, idPath)
  if (id !== undefined) return users.get(id)
  const sent = new Set(leavesIn(body).map(({ value }) => value))
  return [...users.values()].find(({ fields }) => leavesIn(fields).some(({ value }) => sent.has(value)))
}

type Naming = readonly [member: string, field: string]

function namesOf({ body }: Sample, { fields }: KnownUser, secret: string): readonly Naming[] {
  return Object.entries(sentIn(body)).flatMap(([member, value]) => {
    if (member === secret || typeof value !== 'string') return []
    const field =
      fields[member] === value ? member : Object.keys(fields).find((name) => fields[name] === value)
    return field === undefined ? [] : [[member, field] as const]
  })
}
