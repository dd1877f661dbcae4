import { isObject } from '../../../engine/schema/schema.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import type { Item } from '../../calls/objects.ts'
import { type Families, type Family, formatGo, type Labels, type Metric, sorted } from './families.ts'

/** Metrics that were pushed together, with when they were, in milliseconds since 1970. */
export interface Group {
  readonly labels: Labels
  readonly families: Readonly<Record<string, Family & { readonly at: number }>>
  /** When something was pushed, and when that failed; 0 for never. */
  readonly pushed: number
  readonly failed: number
}

/** What names a group: equal for the same labels. */
export function groupKey(labels: Labels): string {
  return JSON.stringify(sorted(labels))
}

/** A group as a stored item. */
export function itemOf(group: Group): Item {
  return { ...group, key: groupKey(group.labels) }
}

/** A group of which nothing is known. */
export function emptyGroup(labels: Labels): Group {
  return { labels, families: {}, pushed: 0, failed: 0 }
}

/** The grouping key that an endpoint such as `metrics/job/NAME` has, as a path; `undefined` for none. */
export function groupingKeyIn(endpoint: string): string | undefined {
  return /^metrics(\/job(?:@base64|%40base64)?\/[^/].*)$/is.exec(endpoint)?.[1]
}

/** A grouping key that is malformed. */
export class BadPath extends Error {}

/** The labels of a path such as `/job/NAME/instance@base64/VALUE`. @throws BadPath */
export function labelsIn(path: string): Labels {
  const parts = path.split('/').slice(1)
  if (parts.length % 2 === 1)
    throw new BadPath(
      `odd number of components in label string "/${parts.slice(2).map(decodeSegment).join('/')}"`,
    )
  return Object.fromEntries(
    parts.flatMap((part, at) => {
      if (at % 2 === 1) return []
      const [, name = '', isCoded] = /^(.*?)(@base64)?$/s.exec(decodeSegment(part)) ?? []
      if (!/^[a-z_]\w*$/i.test(name) || name.startsWith('__'))
        throw new BadPath(`improper label name "${name}"`)
      const value = decodeSegment(parts[at + 1] ?? '')
      return [[name, isCoded === undefined ? value : Buffer.from(value, 'base64url').toString()]]
    }),
  )
}

const TIMES = {
  push_time_seconds: 'Last Unix time when changing this group in the Pushgateway succeeded.',
  push_failure_time_seconds: 'Last Unix time when changing this group in the Pushgateway failed.',
}
/** The families that each group has of the server. */
export const TIME_NAMES: ReadonlySet<string> = new Set(Object.keys(TIMES))

function timesOf({
  labels,
  pushed,
  failed,
}: Group): Readonly<Record<string, Family & { readonly at: number }>> {
  const of = (help: string, time: number): Family & { readonly at: number } => ({
    ...{ type: 'GAUGE', help, at: time === 0 ? Math.max(pushed, failed) : time },
    metrics: [{ labels: { instance: '', ...labels }, value: formatGo(time / 1000) }],
  })
  return {
    push_failure_time_seconds: of(TIMES.push_failure_time_seconds, failed),
    push_time_seconds: of(TIMES.push_time_seconds, pushed),
  }
}

/** A group as `/api/v1/metrics` has it. */
export function shownGroup(group: Group): Readonly<Record<string, unknown>> {
  const families = Object.entries({ ...group.families, ...timesOf(group) }).map(([name, family]) => {
    const { at, type, help, metrics } = family
    const shown = {
      time_stamp: new Date(at).toISOString(),
      type,
      ...(help !== undefined && { help }),
      metrics,
    }
    return [name, shown] as const
  })
  return {
    ...Object.fromEntries(families),
    labels: group.labels,
    last_push_successful: group.pushed >= group.failed,
  }
}

/** Groups as they are in the answers of `/api/v1/metrics`. */
export function readGroup(shown: Readonly<Record<string, unknown>>): Group {
  const { labels, last_push_successful: _isDone, ...rest } = shown
  const families = Object.entries(rest).flatMap(([name, family]) => {
    if (!isObject(family)) return []
    const { time_stamp: time, ...others } = family
    return [[name, { ...(others as unknown as Family), at: Date.parse(String(time)) || 0 }] as const]
  })
  return fromFamilies((isObject(labels) ? labels : {}) as Labels, families)
}

/** A group from its families, with those that say when something was pushed. */
export function fromFamilies(
  labels: Labels,
  families: readonly (readonly [name: string, family: Family & { readonly at: number }])[],
): Group {
  const timeOf = (name: keyof typeof TIMES): number => {
    const value = Number(families.find(([each]) => each === name)?.[1].metrics[0]?.value)
    return value > 0 ? Math.round(value * 1000) : 0
  }
  return {
    labels,
    families: Object.fromEntries(families.filter(([name]) => !TIME_NAMES.has(name))),
    pushed: timeOf('push_time_seconds'),
    failed: timeOf('push_failure_time_seconds'),
  }
}

/** The families of all groups, and others. */
export function allFamilies(groups: readonly Group[], others: Families): Families {
  const all = new Map(others)
  for (const group of groups)
    for (const [name, family] of Object.entries({ ...group.families, ...timesOf(group) })) {
      const { type, help, metrics } = family
      const before = all.get(name)
      all.set(name, {
        ...(before ?? { type, ...(help !== undefined && { help }) }),
        metrics: [...(before?.metrics ?? []), ...metrics],
      })
    }
  return all
}

/** What of pushed families does not go with what there is; empty for nothing. */
export function conflictsOf(pushed: Families, others: Families): readonly string[] {
  return [...pushed].flatMap(([name, { type, metrics }]) => {
    const other = others.get(name)
    if (other !== undefined && other.type !== type && other.metrics.every(({ labels }) => !('job' in labels)))
      return [`gathered metric family ${name} has type ${type} but should have ${other.type}`]
    const seen = new Set<string>()
    return metrics.flatMap((metric) => {
      const key = groupKey(metric.labels)
      const isTwice = seen.has(key)
      seen.add(key)
      const reserved = Object.keys(metric.labels).find((label) => label.startsWith('__'))
      const why =
        other !== undefined && other.type !== type
          ? `is not a ${other.type}`
          : reserved !== undefined
            ? `has a label with an invalid name: ${reserved}`
            : isTwice
              ? 'was collected before with the same name and label values'
              : undefined
      return why === undefined ? [] : [`collected metric "${name}" { ${inProto(metric, type)} } ${why}`]
    })
  })
}

// As Go's protocol buffers write it.
function inProto({ labels, value, sum, count }: Metric, type: string): string {
  const pairs = sorted(labels).map(
    ([name, text]) => `label:<name:${JSON.stringify(name)} value:${JSON.stringify(text)} >`,
  )
  const own = value === undefined ? `sample_count:${count ?? 0} sample_sum:${sum ?? 0}` : `value:${value}`
  return [...pairs, `${type.toLowerCase()}:<${own} >`].join(' ')
}
