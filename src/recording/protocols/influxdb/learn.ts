import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallSemantics, SeenCall } from '../../calls/call.ts'
import { type Item, plainType } from '../../calls/objects.ts'
import { endpointBelow, paramsIn } from '../endpoints.ts'
import { parseInfluxQl } from './parse-influxql.ts'
import { BadLine, type FieldType, itemOf, pointsIn, type Point } from './points.ts'
import { FIRST_POLICY } from './run-statement.ts'
import type { Policy } from './show.ts'
import { Malformed, type Statement, Unknown } from './statement.ts'
import { momentIn, unitOf } from './times.ts'

/** The types of a model's objects. */
export const DATABASES = 'database'
export const POINTS = 'point'
export const USERS = 'user'

/** What a recording shows of a server, apart from what it stores. */
export interface Learned {
  readonly root: string
  /** What requests were for, besides queries and writes. */
  readonly endpoints: readonly string[]
}

/** The parameters of a request as texts. */
export function wordsIn(call: Call): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(paramsIn(call)).map(([name, value]) => [name, String(value)]))
}

/** A series of a result. */
interface Shown {
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly columns: readonly string[]
  readonly values?: readonly (readonly unknown[])[]
}

/** The databases, users and points that there were in the beginning. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const endpoints = new Set<string>()
  const databases = new Map<string, Item>()
  const users = new Map<string, Item>()
  const points = new Map<string, Item>()
  /** What was made, dropped or written, which no later answer shows as it was. */
  const touched = new Set<string>()
  const tagKeys = tagKeysIn(calls)
  const see = (name: string): void => {
    if (name !== '' && !touched.has(`database ${name}`) && !databases.has(name))
      databases.set(name, { id: name, policies: [FIRST_POLICY] })
  }
  for (const { call, outcome } of calls) {
    const endpoint = endpointBelow(call, root)
    const params = wordsIn(call)
    const database = params['db'] ?? ''
    if (endpoint === 'write' && outcome.error === undefined) {
      see(database)
      for (const { name } of written(call)) touched.add(`points ${database} ${name}`)
    }
    if (endpoint !== undefined && endpoint !== 'query' && outcome.status !== 404) endpoints.add(endpoint)
    if (endpoint !== 'query' || !isObject(outcome.value)) continue
    const results = [outcome.value['results']].flat()
    for (const [at, statement] of statementsIn(params['q'] ?? '').entries()) {
      const result = results[at]
      if (!isObject(result) || result['error'] !== undefined) continue
      const series = (result['series'] ?? []) as readonly Shown[]
      if (statement.kind === 'create' || statement.kind === 'drop')
        touched.add(`${statement.what} ${statement.what === 'policy' ? statement.on : statement.name}`)
      if (statement.kind === 'show' && statement.what === 'databases')
        for (const [name] of series[0]?.values ?? []) see(String(name))
      if (statement.kind === 'show' && statement.what === 'users')
        for (const [name, isAdmin] of series[0]?.values ?? [])
          if (!touched.has(`user ${String(name)}`)) users.set(String(name), { id: name, isAdmin })
      if (statement.kind === 'show' && statement.what === 'retention policies') {
        const name = statement.on ?? database
        see(name)
        if (databases.has(name) && !touched.has(`policy ${name}`))
          databases.set(name, { id: name, policies: policiesIn(series) })
      }
      if (statement.kind !== 'select') continue
      see(database)
      if (statement.columns.some(({ call: called }) => called !== undefined)) continue
      for (const point of series.flatMap((each) => pointsShown(each, database, tagKeys))) {
        const isOwn = touched.has(`points ${database} ${point.name}`) || touched.has(`database ${database}`)
        const item = itemOf(point)
        if (!isOwn) points.set(String(item['id']), item)
      }
    }
  }
  const learned: Learned = { root, endpoints: [...endpoints].toSorted() }
  return {
    types: {
      [DATABASES]: plainType('id', databases.values()),
      [POINTS]: plainType('id', points.values()),
      [USERS]: plainType('id', users.values()),
    },
    learned: { ...learned },
  }
}

function statementsIn(text: string): readonly Statement[] {
  try {
    return parseInfluxQl(text, 0n)
  } catch (error) {
    if (error instanceof Malformed || error instanceof Unknown) return []
    throw error
  }
}

function written({ args }: Call): readonly Point[] {
  try {
    return pointsIn(typeof args['body'] === 'string' ? args['body'] : '', '', unitOf('n'), 0n)
  } catch (error) {
    if (error instanceof BadLine) return []
    throw error
  }
}

function policiesIn(series: readonly Shown[]): readonly Policy[] {
  return (series[0]?.values ?? []).map(([name, duration, shard, copies, isDefault]) => ({
    ...{ name: String(name), duration: String(duration), shard: String(shard) },
    ...{ copies: Number(copies), isDefault: isDefault === true },
  }))
}

// The tags of measurements, as far as answers name them.
function tagKeysIn(calls: readonly SeenCall[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { outcome } of calls) {
    const results = isObject(outcome.value) ? [outcome.value['results']].flat() : []
    for (const result of results)
      for (const { name, tags = {}, columns, values = [] } of (isObject(result)
        ? (result['series'] ?? [])
        : []) as readonly Shown[]) {
        const own = columns.join() === 'tagKey' ? values.map(([key]) => String(key)) : Object.keys(tags)
        const known = found.get(name ?? '') ?? new Set()
        for (const key of own) known.add(key)
        found.set(name ?? '', known)
      }
  }
  return found
}

function pointsShown(
  { name = '', tags = {}, columns, values = [] }: Shown,
  database: string,
  tagKeys: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Point[] {
  return values.flatMap((row): readonly Point[] => {
    const time = typeof row[0] === 'string' ? momentIn(row[0]) : undefined
    if (time === undefined) return []
    const pairs = columns.slice(1).map((column, at) => [column, row[at + 1]] as const)
    const isTag = (column: string): boolean => tagKeys.get(name)?.has(column) === true
    const own = pairs.filter(([, value]) => value !== null) as readonly (readonly [string, string | number])[]
    const fields = own.filter(([column]) => !isTag(column))
    return [
      {
        ...{ database, name, time },
        tags: {
          ...tags,
          ...Object.fromEntries(
            own.filter(([column]) => isTag(column)).map(([key, value]) => [key, String(value)]),
          ),
        },
        fields: Object.fromEntries(fields),
        types: Object.fromEntries(fields.map(([field, value]) => [field, typeIn(value)])),
      },
    ]
  })
}

function typeIn(value: unknown): FieldType {
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? 'float' : 'string'
}
