import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { type Item, plainType } from '../../calls/objects.ts'
import { endpointBelow } from '../endpoints.ts'
import { type Families, type Family, type Labels } from './families.ts'
import { fromFamilies, type Group, groupingKeyIn, groupKey, itemOf, labelsIn, readGroup } from './groups.ts'
import { BadText, readExposition } from './read-exposition.ts'

/** The type of a model's objects. */
export const GROUPS = 'group'
export const WIPE = 'api/v1/admin/wipe'

/** What a recording shows of a server, apart from what is pushed to it. */
export interface Learned {
  readonly root: string
  /** What requests were for. */
  readonly endpoints: readonly string[]
  /** The families of the server itself, by their names. */
  readonly own: Readonly<Record<string, Family>>
  /** The type of the texts that have all metrics. */
  readonly type: string
}

/** The groups that there were in the beginning. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const groups = new Map<string, Item>()
  const endpoints = new Set<string>()
  /** What was pushed or deleted, which no later answer shows as it was. */
  const touched = new Set<string>()
  let isWiped = false
  let own: Readonly<Record<string, Family>> = {}
  let type = TEXT
  const see = (group: Group): void => {
    const key = groupKey(group.labels)
    if (!isWiped && !touched.has(key) && !groups.has(key)) groups.set(key, itemOf(group))
  }
  for (const { call, outcome } of calls) {
    const endpoint = endpointBelow(call, root) ?? ''
    const { status = 200, value, headers } = outcome
    const isRead = call.name === 'GET'
    if (status >= 300) continue
    endpoints.add(endpoint)
    if (endpoint === WIPE) isWiped = true
    const key = groupingKeyIn(endpoint)
    if (!isRead && key !== undefined) touched.add(groupKey(labelsIn(key)))
    if (!isRead) continue
    const data = isObject(value) ? value['data'] : undefined
    if (endpoint === 'api/v1/metrics' && Array.isArray(data))
      for (const each of data) if (isObject(each)) see(readGroup(each))
    const families = endpoint === 'metrics' ? familiesIn(value) : undefined
    if (families === undefined) continue
    type = headers?.['content-type'] ?? type
    own = Object.fromEntries([...families].filter(([, { metrics }]) => metrics.every(isOfServer)))
    for (const group of groupsIn(families)) see(group)
  }
  const learned = { root, endpoints: [...endpoints], own, type } satisfies Learned
  return { types: { [GROUPS]: plainType('key', groups.values()) }, learned: { ...learned } }
}

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

function familiesIn(value: unknown): Families | undefined {
  try {
    return typeof value === 'string' ? readExposition(value).families : undefined
  } catch (error) {
    if (error instanceof BadText) return undefined
    throw error
  }
}

function isOfServer({ labels }: { readonly labels: Labels }): boolean {
  return !Object.hasOwn(labels, 'job')
}

// Each has the time of its last push, and its metrics have its labels.
function groupsIn(families: Families): readonly Group[] {
  const times = families.get('push_time_seconds')?.metrics ?? []
  const keys = times.toSorted((a, b) => Object.keys(b.labels).length - Object.keys(a.labels).length)
  const of = new Map(keys.map(({ labels }) => [labels, [] as [string, Family & { at: number }][]]))
  for (const [name, { metrics, ...family }] of families)
    for (const { labels: key } of keys) {
      const own = metrics.filter(
        (metric) => keys.find((each) => isWithin(each.labels, metric.labels))?.labels === key,
      )
      if (own.length > 0) of.get(key)?.push([name, { ...family, metrics: own, at: 0 }])
    }
  return [...of].map(([{ instance, ...others }, own]) => {
    const labels = instance === undefined || instance === '' ? others : { instance, ...others }
    const group = fromFamilies(labels, own)
    const dated = Object.entries(group.families).map(([name, family]) => [
      name,
      { ...family, at: group.pushed },
    ])
    return { ...group, families: Object.fromEntries(dated) as Group['families'] }
  })
}

function isWithin(key: Labels, labels: Labels): boolean {
  return Object.entries(key).every(([name, value]) => labels[name] === value)
}
