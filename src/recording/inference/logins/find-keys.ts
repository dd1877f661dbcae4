import type { LoginOption } from '../../../engine/login-option.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { entryOf, mostFrequent } from '../../../grouping.ts'
import { isRefused } from '../callers.ts'
import type { InferredRoute } from '../infer-route.ts'
import { isAtResource, type Resource } from '../resources.ts'
import type { Sample } from '../sample.ts'
import { credentialsIn, operationOf } from './credentials.ts'

/** API keys: tokens that are fields of items which requests made. */
export interface ApiKeys {
  /** The operation that makes them, and the field that has them. */
  readonly made: string
  readonly field: string
  readonly values: ReadonlySet<string>
  /** Where requests have them. */
  readonly header: string
  readonly query: string | undefined
  /** With why those were refused that have none, or none that is known. */
  readonly samples: readonly Sample[]
}

/** A key that a request may have. */
interface Sent {
  readonly in: 'header' | 'query'
  readonly name: string
  readonly key: string
}

/**
 * Finds keys that one operation made, where requests without one of them were refused.
 * @param known the operations that give tokens otherwise
 */
export function findKeys(samples: readonly Sample[], known: ReadonlySet<string>): ApiKeys | undefined {
  const places = new Map<string, string>()
  for (const sample of samples) {
    const { method, status, response } = sample
    const operation = operationOf(sample)
    if (method !== 'POST' || status >= 300 || !isObject(response) || known.has(operation)) continue
    if (!Object.keys(response).some((name) => IS_OF_ITEM.test(name))) continue
    for (const [field, value] of Object.entries(response))
      if (typeof value === 'string' && value !== '') entryOf(places, value, () => `${operation}\n${field}`)
  }
  const used = samples.filter((sample) => !isRefused(sample)).flatMap(sentIn)
  const place = mostFrequent(used.flatMap(({ in: at, key }) => (at === 'header' && places.get(key)) || []))
  const own = used.filter(({ key }) => places.get(key) === place)
  if (place === undefined || new Set(own.map(({ key }) => key)).size < 2) return undefined
  const [made = '', field = ''] = place.split('\n')
  const values = new Set([...places].flatMap(([value, of]) => (of === place ? [value] : [])))
  const nameIn = (wanted: Sent['in']): string | undefined =>
    mostFrequent(own.flatMap(({ in: at, name }) => (at === wanted ? [name] : [])))
  const [header = '', query] = [nameIn('header'), nameIn('query')]
  const isCarrier = ({ in: at, name }: Sent): boolean => name === (at === 'header' ? header : query)
  const seen = samples.map((sample) => {
    const sent = sentIn(sample)
    const isOther = sent.length > 0 && !sent.some(isCarrier)
    if (!isRefused(sample) || sample.refusedAs !== undefined || isOther) return sample
    return { ...sample, refusedAs: sent.length === 0 ? 'SIM_UNAUTHORIZED' : 'SIM_TOKEN_UNKNOWN' }
  })
  const isRefusing = seen.some((sample) => isRefused(sample) && sentIn(sample).some(isCarrier))
  return isRefusing ? { made, field, values, header, query, samples: seen } : undefined
}

/** What the routes have to do with keys to which requests with them were sent, and no others that succeeded. */
export function keyOptions(
  { made, field, values, header, query }: ApiKeys,
  routes: readonly InferredRoute[],
  resources: readonly Resource[],
): ReadonlyMap<InferredRoute, LoginOption> {
  const maker = routes.find(({ samples }) => samples.some((sample) => operationOf(sample) === made))
  const kept = maker && resources.find((each) => isAtResource(each, maker))
  if (kept === undefined) return new Map()
  const option: LoginOption = {
    ...{ users: kept.collection, field },
    ...(header !== 'authorization' && { header }),
    ...(query !== undefined && { query }),
  }
  const hasKey = (sample: Sample): boolean => sentIn(sample).some(({ key }) => values.has(key))
  return new Map(
    routes.flatMap((route) => {
      const fine = route.samples.filter((sample) => !isRefused(sample))
      return fine.length > 0 && fine.every(hasKey) ? [[route, option] as const] : []
    }),
  )
}

/** What is a token and no item has neither. */
const IS_OF_ITEM = /^_?id$|[a-z]_?id$|name|label/i
const QUERY = /^(x_)?(api|app|access|auth)?[-_]?(key|token)$/i

function sentIn(sample: Sample): readonly Sent[] {
  const inHeaders = credentialsIn(sample).flatMap(({ carrier: { header }, token }): readonly Sent[] =>
    header === undefined ? [] : [{ in: 'header', name: header, key: token }],
  )
  const inQuery = Object.entries(sample.query).flatMap(([name, key]): readonly Sent[] =>
    QUERY.test(name) && typeof key === 'string' ? [{ in: 'query', name, key }] : [],
  )
  return [...inHeaders, ...inQuery]
}
