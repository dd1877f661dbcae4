import { groupBy } from '../../../grouping.ts'
import type { Item } from '../item-place.ts'
import type { Sample } from '../sample.ts'
import { credentialsIn, operationOf, secretsIn, sentIn } from './credentials.ts'
import { findUsers, type FoundUsers } from './find-users.ts'
import { userNumbers } from './user-numbers.ts'

/** What a recording shows of users: whose each request is, and why those were refused that were nobody's. */
export interface Logins extends FoundUsers {
  /** The same with who sent them, and what they were refused as. */
  readonly samples: readonly Sample[]
  /** Operations that log users out, and those that give them another password. */
  readonly ends: ReadonlySet<string>
  readonly renews: ReadonlyMap<string, { readonly secret: string; readonly renews: string }>
  /** The number of the first user, where users are numbered and only what they make shows it. */
  readonly firstNumber: number | undefined
}

/** Whether an answer refuses who asks, or says that there is nobody. */
export function isTurnedAway({ status, response }: Pick<Sample, 'status' | 'response'>): boolean {
  return status === 401 || status === 403 || (status < 300 && response === null)
}

/** Finds who sent each request, by the tokens that earlier answers gave to users. */
export function findLogins(samples: readonly Sample[]): Logins | undefined {
  const found = findUsers(samples)
  if (found === undefined) return undefined
  const { operations, users, by, givenBy } = found
  const ends = findEnds(samples, found)
  const ofToken = new Map<string, string>()
  const secrets = new Map<string, string>()
  const fields = new Map<string, Item>()
  const renewing = new Map<string, { secret: string; renews: string }>()
  const seen = samples.map((sample): Sample => {
    const key = operationOf(sample)
    const own = credentialsIn(sample).find(({ token }) => ofToken.has(token))
    const caller = own && ofToken.get(own.token)
    const operation = operations.get(key)
    const given = givenBy.get(sample)
    const refusedAs =
      operation === undefined
        ? refusedCaller(sample, caller)
        : operation.does === 'begin'
          ? failedLogin(sample)
          : takenName(sample)
    if (given !== undefined) {
      for (const token of given.tokens) ofToken.set(token, given.user)
      const { secret = '' } = operation ?? {}
      secrets.set(given.user, String(sentIn(sample.body)[secret]))
      fields.set(given.user, { ...users.get(given.user)?.fields, ...fields.get(given.user) })
    }
    const renewed = caller === undefined ? undefined : renewal(sample, caller)
    if (renewed !== undefined) renewing.set(key, renewed)
    if (ends.has(key) && sample.status < 300 && own !== undefined) ofToken.delete(own.token)
    return {
      ...sample,
      ...userSeen(operation === undefined ? caller : operation.does === 'begin' ? given?.user : undefined),
      ...(refusedAs !== undefined && { refusedAs }),
    }
  })
  const numbers = userNumbers(seen, users)
  const numbered = (sample: Sample): Sample =>
    numbers === undefined || sample.caller === undefined
      ? sample
      : { ...sample, user: { ...sample.user, id: numbers.of.get(sample.caller) } }
  return { ...found, samples: seen.map(numbered), ends, renews: renewing, firstNumber: numbers?.first }

  function userSeen(id: string | undefined): Pick<Sample, 'user' | 'caller'> {
    return id === undefined ? {} : { user: fields.get(id) ?? {}, caller: id }
  }
  function takenName({ status, body, index }: Sample): string | undefined {
    if (status < 400) return undefined
    const sent = sentIn(body)
    const isTaken = [...users.values()].some(
      ({ fields: known, madeAt }) =>
        madeAt < index &&
        Object.values(by).some((field) => sent[field] !== undefined && known[field] === sent[field]),
    )
    return isTaken ? 'SIM_ITEM_EXISTS' : undefined
  }
  function failedLogin({ status, body }: Sample): string | undefined {
    const [secret, ...others] = secretsIn(body)
    if (status < 400 || secret === undefined || others.length > 0) return undefined
    const sent = sentIn(body)
    const names = Object.entries(by).filter(([member]) => sent[member] !== undefined)
    if (names.length === 0) return undefined
    const user = [...users.values()].find((each) =>
      names.some(([member, field]) => each.fields[field] === sent[member]),
    )
    if (user === undefined) return 'SIM_LOGIN_FAILED/user_unknown'
    return secrets.get(user.id) === sent[secret] ? undefined : 'SIM_LOGIN_FAILED/secret_wrong'
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

// After which no request with the same token was accepted, though some were before.
function findEnds(samples: readonly Sample[], { operations }: FoundUsers): ReadonlySet<string> {
  const uses = groupBy(
    samples.flatMap((sample) => credentialsIn(sample).map(({ token }) => ({ token, sample }))),
    ({ token }) => token,
  )
  const later = new Map<Sample, readonly Sample[]>()
  for (const own of uses.values())
    for (const [at, { sample }] of own.entries())
      later.set(
        sample,
        own.slice(at + 1).map((each) => each.sample),
      )
  const able = groupBy(
    [...later.keys()].filter(({ method, status }) => method !== 'GET' && status < 300),
    operationOf,
  )
  const isEnd = (own: readonly Sample[], key: string): boolean => {
    const others = own
      .flatMap((sample) => later.get(sample) ?? [])
      .filter((each) => operationOf(each) !== key)
    return others.length > 0 && others.every(isTurnedAway)
  }
  return new Set([...able].flatMap(([key, own]) => (!operations.has(key) && isEnd(own, key) ? [key] : [])))
}
