import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { isUuid } from '../../../shape/made-values.ts'
import type { Item } from '../item-place.ts'
import { learnIds } from '../learn-ids.ts'
import type { Sample } from '../sample.ts'
import { cookiesSet, leavesIn, operationOf, secretsIn, sentIn } from './credentials.ts'
import {
  type FoundUsers,
  idAt,
  idPathOf,
  type KnownUser,
  mostFrequentCarrier,
  mostFrequentPath,
  NAMES,
  tokenTemplate,
  usedTokens,
} from './find-users.ts'
import type { UserNumbers } from './user-numbers.ts'

/** A login that succeeded, and the tokens that requests had later. */
interface Login {
  readonly sample: Sample
  readonly name: string
  readonly tokens: readonly string[]
}

/** Finds users whom no request made: they are known by what they logged in with. */
export function findEnrolled(samples: readonly Sample[]): FoundUsers | undefined {
  const used = usedTokens(samples)
  const trying = samples.filter(({ method, body }) => method === 'POST' && secretsIn(body).length === 1)
  for (const [key, own] of groupBy(trying, operationOf)) {
    const member = NAMES.find((name) => own.some(({ body }) => typeof sentIn(body)[name] === 'string'))
    if (member === undefined) continue
    const logins = own.flatMap((sample): readonly Login[] => {
      const name = sentIn(sample.body)[member]
      const tokens = usedOf(sample, used)
      return typeof name !== 'string' || tokens.length === 0 ? [] : [{ sample, name, tokens }]
    })
    // Tokens that the same operation gives for something else are somebody's, too.
    const isOtherwise = samples.some(
      (sample) => operationOf(sample) === key && !own.includes(sample) && usedOf(sample, used).length > 0,
    )
    if (isOtherwise) continue
    const found = usersOf(key, member, logins, (token) => used.get(token)?.carrier)
    if (found !== undefined) return found
  }
  return undefined
}

/** The same users, known by numbers that no login showed. */
export function withNumbers(found: FoundUsers, { first, of }: UserNumbers): FoundUsers {
  const users = [...found.users].flatMap(([name, user]) => {
    const number = of.get(name)
    const id = String(number)
    return number === undefined
      ? []
      : [[id, { ...user, id, fields: { ...user.fields, id: number } }] as const]
  })
  const operations = [...found.operations].map(
    ([key, each]) => [key, { ...each, enrols: { id: `{${first}}` } }] as const,
  )
  const givenBy = [...found.givenBy].map(
    ([sample, { user, tokens }]) => [sample, { user: String(of.get(user)), tokens }] as const,
  )
  return {
    ...found,
    ...{ operations: new Map(operations), users: new Map(users), givenBy: new Map(givenBy), idName: 'id' },
  }
}

// The tokens that an answer gives, and later requests have.
function usedOf(sample: Sample, used: ReturnType<typeof usedTokens>): readonly string[] {
  if (sample.status >= 400) return []
  const shown = leavesIn(sample.response).map(({ value }) => value)
  const given = [...shown, ...cookiesSet(sample).values()].filter((value) => typeof value === 'string')
  return given.filter((token) => (used.get(token)?.last ?? -1) > sample.index)
}

function usersOf(
  key: string,
  member: string,
  logins: readonly Login[],
  carrierOf: (token: string) => FoundUsers['carrier'] | undefined,
): FoundUsers | undefined {
  const own = logins.map(({ sample }) => sample)
  const carrier = mostFrequentCarrier(
    logins.flatMap(({ tokens }) => tokens.flatMap((each) => carrierOf(each) ?? [])),
  )
  if (carrier === undefined || new Set(logins.map(({ name }) => name)).size < 2) return undefined
  const tokenPath = mostFrequentPath(
    logins.flatMap(({ sample: { response }, tokens }) =>
      leavesIn(response).flatMap(({ path, value }) => (tokens.includes(String(value)) ? [path] : [])),
    ),
  )
  const idPath = ownIds(logins, idPathOf(own, tokenPath))
  const users = new Map<string, KnownUser>()
  const givenBy = new Map<Sample, { user: string; tokens: readonly string[] }>()
  for (const { sample, name, tokens } of logins) {
    const id = idAt(sample, idPath) ?? name
    const shown = idPath && memberAt(sample.response, idPath.slice(0, -1))
    const fields: Item = { ...(isObject(shown) ? shown : {}), [member]: name }
    givenBy.set(sample, { user: id, tokens })
    if (!users.has(id)) users.set(id, { id, fields, madeAt: sample.index })
  }
  const [secret = ''] = secretsIn(own[0]?.body)
  const idName = idPath?.at(-1) ?? member
  const enrols = idPath === undefined ? {} : { [idName]: idTemplate([...users.keys()]) }
  const operation = { does: 'begin', samples: own, secret, idPath, tokenPath, enrols } as const
  return {
    operations: new Map([[key, { ...operation, tokens: tokenTemplate(own, tokenPath) }]]),
    ...{ users, carrier, by: { [member]: member }, idName, givenBy },
  }
}

// The id that answers have is the user's where it is another one for each name, and always the same for that.
function ownIds(
  logins: readonly Login[],
  idPath: readonly string[] | undefined,
): readonly string[] | undefined {
  const ids = logins.map(({ sample, name }) => [name, idAt(sample, idPath) ?? ''] as const)
  const pairs = new Set(ids.map((each) => each.join('\n')))
  const isOwn = [0, 1].every((at) => new Set(ids.map((each) => each[at])).size === pairs.size)
  return isOwn ? idPath : undefined
}

const UUID_TEMPLATE = '{hex 8}-{hex 4}-4{hex 3}-a{hex 3}-{hex 12}'

function idTemplate(ids: readonly string[]): string {
  return learnIds([ids], []) ?? (ids.every(isUuid) ? UUID_TEMPLATE : '{1}')
}
