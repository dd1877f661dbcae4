import { basicIn } from '../../../collections/logins/accounts.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy, mostFrequent } from '../../../grouping.ts'
import { isHidden } from '../../redaction/secrets.ts'
import { grantIn } from '../../protocols/oauth.ts'
import { isRefused } from '../callers.ts'
import type { Item } from '../item-place.ts'
import type { Sample } from '../sample.ts'
import { credentialsIn, leavesIn, operationOf } from './credentials.ts'
import {
  type FoundUsers,
  type Given,
  type KnownUser,
  type LoginOperation,
  mostFrequentCarrier,
  tokenTemplate,
  usedTokens,
} from './find-users.ts'

/** What names who asks for a token, by grant (RFC 6749, sections 4.3 and 4.4), and what has the secret of that. */
const NAMED_BY: ReadonlyMap<string, readonly [name: string, secret: string]> = new Map([
  ['password', ['username', 'password']],
  ['client_credentials', ['client_id', 'client_secret']],
])
const TOKEN = 'access_token'
const REFRESH = 'refresh_token'

/** Who asks for a token for itself says who it is in the body, whether it did so there or by Basic (section 2.3.1). */
export function withClient(sample: Sample): Sample {
  const { body, headers } = sample
  const basic = grantIn(sample) === 'client_credentials' ? basicIn(headers['authorization']) : undefined
  if (basic === undefined || !isObject(body)) return sample
  return { ...sample, body: { ...body, client_id: basic[0], client_secret: basic[1] } }
}

/** Finds the users and clients of an OAuth 2 server, where all tokens that were accepted are of grants that name them. */
export function findGrants(samples: readonly Sample[]): FoundUsers | undefined {
  const asking = samples.filter((sample) => sample.method === 'POST' && grantIn(sample) !== undefined)
  const used = usedTokens(samples.filter((sample) => !isRefused(sample)))
  const users = new Map<string, KnownUser>()
  const givenBy = new Map<Sample, Given>()
  const refreshes = new Map<string, { readonly user: string; readonly token: string }>()
  for (const sample of asking) {
    const { [TOKEN]: token, [REFRESH]: refresh } = isObject(sample.response) ? sample.response : {}
    if (sample.status >= 300 || typeof token !== 'string') continue
    const [member = ''] = NAMED_BY.get(grantIn(sample) ?? '') ?? []
    const sent = sample.body as Item
    const before = refreshes.get(String(sent[REFRESH]))
    const user = before?.user ?? sent[member]
    if (typeof user !== 'string') {
      if (used.has(token)) return undefined
      continue
    }
    const spends = before !== undefined && endsWith(sample, before.token, samples) ? [before.token] : []
    givenBy.set(sample, { user, tokens: [token, ...(typeof refresh === 'string' ? [refresh] : [])], spends })
    if (typeof refresh === 'string') refreshes.set(refresh, { user, token })
    if (!users.has(user)) users.set(user, { id: user, fields: {}, madeAt: sample.index })
  }
  const carrier = mostFrequentCarrier(
    [...givenBy.values()].flatMap(({ tokens: [token = ''] }) => used.get(token)?.carrier ?? []),
  )
  if (carrier === undefined) return undefined
  const shown = shownTo(samples, givenBy)
  const idName = nameOfNames(shown) ?? 'username'
  for (const [id, user] of users) {
    // Basic credentials are hidden with the name that they have.
    const own = isHidden(id)
      ? shown.find((each) => each.user === id && each.name === idName)?.value
      : undefined
    users.set(id, { ...user, fields: { [idName]: own ?? id } })
  }
  const operations = [...groupBy(asking, operationOf)].flatMap(([key, own]) => {
    const fine = own.filter((sample) => givenBy.has(sample))
    // Answers whose tokens nobody used may be kept as they were.
    const giving = fine.filter((sample) => givenBy.get(sample)?.tokens.some((token) => used.has(token)))
    return fine.length === 0 ? [] : [[key, grantOperation(fine, giving, givenBy, idName)] as const]
  })
  return { operations: new Map(operations), users, carrier, by: { [idName]: idName }, idName, givenBy }
}

function grantOperation(
  fine: readonly Sample[],
  samples: readonly Sample[],
  givenBy: ReadonlyMap<Sample, Given>,
  idName: string,
): LoginOperation {
  const [first] = fine
  const [name, secret = REFRESH] = NAMED_BY.get((first && grantIn(first)) ?? '') ?? []
  const isRenewed = fine.every(({ response, body }) => {
    const refresh = (response as Item)[REFRESH]
    return typeof refresh === 'string' && refresh !== (body as Item)[REFRESH]
  })
  const common = {
    ...{ samples, secret, tokenPath: [TOKEN], tokens: tokenTemplate(fine, [TOKEN]) },
    ...(isRenewed && { refreshPath: [REFRESH] }),
  }
  if (name === undefined) {
    const revokes = fine.some((sample) => givenBy.get(sample)?.spends?.length === 1)
    return { ...common, does: 'refresh', ...(revokes && { revokes }) }
  }
  const isBasic = fine.some(({ headers }) => basicIn(headers['authorization']) !== undefined)
  const basic = name === 'client_id' && isBasic
  return { ...common, does: 'begin', by: { [name]: idName }, enrols: {}, ...(basic && { basic }) }
}

// Whether a token was refused after its refresh token was used.
function endsWith({ index }: Sample, token: string, samples: readonly Sample[]): boolean {
  const [later] = samples.filter(
    (sample) => sample.index > index && credentialsIn(sample).some((each) => each.token === token),
  )
  return later !== undefined && isRefused(later)
}

/** What answers show to those whom tokens were given. */
interface Shown {
  readonly user: string
  readonly name: string
  readonly value: string | number
}

function shownTo(samples: readonly Sample[], givenBy: ReadonlyMap<Sample, Given>): readonly Shown[] {
  const owners = new Map(
    [...givenBy.values()].flatMap(({ user, tokens }) => tokens.map((token) => [token, user] as const)),
  )
  const reads = samples.filter(({ method, status }) => method === 'GET' && status < 300)
  return reads.flatMap((sample) => {
    const [user] = credentialsIn(sample).flatMap(({ token }) => owners.get(token) ?? [])
    if (user === undefined) return []
    return leavesIn(sample.response).map(({ path, value }) => ({ user, name: path.at(-1) ?? '', value }))
  })
}

// What answers to most users call what they are named by.
function nameOfNames(shown: readonly Shown[]): string | undefined {
  const own = shown.filter(({ user, value }) => value === user)
  return mostFrequent(
    [...groupBy(own, ({ user, name }) => `${name}\n${user}`)].map(([, [one]]) => one?.name ?? ''),
  )
}
