import { namingFields } from '../../../engine/login-option.ts'
import { groupBy } from '../../../grouping.ts'
import type { Item } from '../item-place.ts'
import type { Sample } from '../sample.ts'
import { isDeepStrictEqual } from 'node:util'
import { type Credential, credentialsIn, operationOf, replacedBy, secretsIn, sentIn } from './credentials.ts'
import { findGrants, withClient } from './find-grants.ts'
import { findEnrolled, withNumbers } from './find-enrolled.ts'
import { findUsers, type FoundUsers, type LoginOperation } from './find-users.ts'
import { type UserNumbers, userNumbers } from './user-numbers.ts'

/** What a recording shows of users: whose each request is, and why those were refused that were nobody's. */
export interface Logins extends FoundUsers {
  /** The same with who sent them, and what they were refused as. */
  readonly samples: readonly Sample[]
  /** Operations that log users out, and those that give them another password. */
  readonly ends: ReadonlySet<string>
  readonly renews: ReadonlyMap<string, { readonly secret: string; readonly renews: string }>
  /** Whether wrong passwords were refused to users who had logged in, and none before that. */
  readonly holds: boolean
  /** The numbers of users, where only what they make shows them. */
  readonly numbers: UserNumbers | undefined
}

/** Whether an answer refuses who asks, or says that there is nobody. */
export function isTurnedAway({ status, response }: Pick<Sample, 'status' | 'response'>): boolean {
  return status === 401 || status === 403 || (status < 300 && response === null)
}

/** Finds who sent each request, by the tokens that earlier answers gave to users. */
export function findLogins(samples: readonly Sample[]): Logins | undefined {
  const clients = samples.map(withClient)
  const granted = findGrants(clients)
  if (granted !== undefined) {
    const logins = loginsOf(clients, granted)
    const seen = logins.samples.map((sample, at) => ({ ...sample, body: samples[at]?.body }))
    return { ...logins, samples: seen }
  }
  const registered = findUsers(samples)
  if (registered !== undefined) return loginsOf(samples, registered)
  const enrolled = findEnrolled(samples)
  const logins = enrolled && loginsOf(samples, enrolled)
  return logins?.numbers === undefined ? logins : loginsOf(samples, withNumbers(logins, logins.numbers))
}

function loginsOf(samples: readonly Sample[], found: FoundUsers): Logins {
  const { operations, users, by, givenBy } = found
  const ends = findEnds(samples, found)
  const ofToken = new Map<string, string>()
  const secrets = new Map<string, string>()
  const firstSecrets = new Map(
    [...givenBy].toReversed().map(([{ body }, { user }]) => {
      const [secret = ''] = secretsIn(body)
      return [user, sentIn(body)[secret]] as const
    }),
  )
  const fields = new Map<string, Item>()
  const renewing = new Map<string, { secret: string; renews: string }>()
  const wrong: boolean[] = []
  const seen = samples.map((sample): Sample => {
    const key = operationOf(sample)
    const own = credentialsIn(sample).find(({ token }) => ofToken.has(token))
    const caller = own && ofToken.get(own.token)
    const operation = operations.get(key)
    const given = givenBy.get(sample)
    const refusedAs =
      operation === undefined
        ? refusedCaller(sample, caller)
        : operation.does === 'register'
          ? takenName(sample)
          : given === undefined
            ? failedLogin(sample, operation)
            : undefined
    if (given !== undefined) {
      for (const token of given.tokens) ofToken.set(token, given.user)
      for (const token of given.spends ?? []) ofToken.delete(token)
      const { secret = '', does } = operation ?? {}
      if (does !== 'refresh') secrets.set(given.user, String(sentIn(sample.body)[secret]))
      fields.set(given.user, { ...users.get(given.user)?.fields, ...fields.get(given.user) })
    }
    const renewed = caller === undefined ? undefined : renewal(sample, caller)
    if (renewed !== undefined) renewing.set(key, renewed)
    if (ends.has(key) && sample.status < 400 && own !== undefined) ofToken.delete(own.token)
    return {
      ...sample,
      ...userSeen(operation === undefined ? caller : operation.does === 'register' ? undefined : given?.user),
      ...(refusedAs !== undefined && { refusedAs }),
    }
  })
  const holds = wrong.length > 0 && !wrong.includes(false)
  const numbers = userNumbers(seen, users)
  const numbered = (sample: Sample): Sample =>
    numbers === undefined || sample.caller === undefined
      ? sample
      : { ...sample, user: { ...sample.user, id: numbers.of.get(sample.caller) } }
  return { ...found, samples: seen.map(numbered), ends, renews: renewing, holds, numbers }

  function userSeen(id: string | undefined): Pick<Sample, 'user' | 'caller'> {
    return id === undefined ? {} : { user: fields.get(id) ?? {}, caller: id }
  }
  function takenName({ status, body, index }: Sample): string | undefined {
    if (status < 400) return undefined
    const sent = sentIn(body)
    const isTaken = [...users.values()].some(
      ({ fields: known, madeAt }) =>
        madeAt < index &&
        namingFields(by).some(([, field]) => sent[field] !== undefined && known[field] === sent[field]),
    )
    return isTaken ? 'SIM_ITEM_EXISTS' : undefined
  }
  function failedLogin(sample: Sample, { does, by: own = by }: LoginOperation): string | undefined {
    const { body, status } = sample
    if (does === 'refresh') return status < 400 ? undefined : 'SIM_LOGIN_FAILED/secret_wrong'
    const [secret, ...others] = secretsIn(body)
    if (secret === undefined || others.length > 0) return undefined
    const sent = sentIn(body)
    const names = namingFields(own).filter(([member]) => sent[member] !== undefined)
    if (names.length === 0) return undefined
    const user = [...users.values()].find((each) =>
      names.some(([member, field]) => each.fields[field] === sent[member]),
    )
    if (user === undefined) return 'SIM_LOGIN_FAILED/user_unknown'
    const known = secrets.get(user.id) ?? firstSecrets.get(user.id)
    if (known === sent[secret]) return undefined
    wrong.push(user.madeAt < sample.index)
    return 'SIM_LOGIN_FAILED/secret_wrong'
  }
  function renewal(sample: Sample, caller: string): { secret: string; renews: string } | undefined {
    const { body, status } = sample
    const names = secretsIn(body)
    const [one, other, ...rest] = names
    if (one === undefined || other === undefined || rest.length > 0) return undefined
    const sent = sentIn(body)
    const secret = names.find((name) => sent[name] === secrets.get(caller))
    const renews = names.find((name) => name !== secret)
    if (status >= 300 || secret === undefined || renews === undefined) return undefined
    secrets.set(caller, String(sent[renews]))
    return { secret, renews }
  }
}

function refusedCaller(sample: Sample, caller: string | undefined): string | undefined {
  if (caller !== undefined || !isTurnedAway(sample)) return undefined
  return credentialsIn(sample).length === 0 ? 'SIM_UNAUTHORIZED' : 'SIM_TOKEN_UNKNOWN'
}

// After which no request with the same token was accepted, nor with what took its place, though some were before.
function findEnds(samples: readonly Sample[], { operations, carrier }: FoundUsers): ReadonlySet<string> {
  const uses = groupBy(
    samples.flatMap((sample) => credentialsIn(sample).map(({ token }) => ({ token, sample }))),
    ({ token }) => token,
  )
  const laterWith = (token: string, { index }: Sample): readonly Sample[] =>
    (uses.get(token) ?? []).flatMap(({ sample }) => (sample.index > index ? [sample] : []))
  const own = (sample: Sample): Credential | undefined =>
    credentialsIn(sample).find((each) => isDeepStrictEqual(each.carrier, carrier))
  const able = groupBy(
    samples.filter((sample) => {
      const credential = sample.status < 400 ? own(sample) : undefined
      const isTaken = credential !== undefined && replacedBy(sample, credential) !== undefined
      return isTaken || (credential !== undefined && sample.method !== 'GET' && sample.status < 300)
    }),
    operationOf,
  )
  const isEnd = (all: readonly Sample[], key: string): boolean => {
    const later = all.flatMap((sample) => {
      const credential = own(sample)
      const other = credential && replacedBy(sample, credential)
      const tokens = [credential?.token ?? '', other ?? '']
      return tokens.flatMap((token) => laterWith(token, sample))
    })
    const others = later.filter((each) => operationOf(each) !== key)
    return others.length > 0 && others.every(isTurnedAway)
  }
  return new Set([...able].flatMap(([key, all]) => (!operations.has(key) && isEnd(all, key) ? [key] : [])))
}
