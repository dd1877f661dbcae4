import { foldPaths } from '../infer/fold-paths.ts'
import { findMentions } from '../infer/mentions.ts'
import type { Sample } from '../infer/sample.ts'
import { essenceOf, type Baseline, type ExpectedRoute } from './baseline.ts'
import { finding, type Finding } from './finding.ts'

/** A difference, with how many exchanges show it and which did first. */
export interface Drift extends Finding {
  readonly exchanges: number
  readonly example: {
    /** Which exchange of the recording; 1 is the first. */
    readonly number: number
    readonly request: string
    readonly status: number
  }
}

/** What drifted of one route. */
export interface RouteDrift {
  readonly route: string
  /** How many were compared. */
  readonly exchanges: number
  readonly drifts: readonly Drift[]
}

/** Compares what a recording holds with what is known, by route. Routes without a difference are there too. */
export function compareExchanges(samples: readonly Sample[], baseline: Baseline): readonly RouteDrift[] {
  const compared = samples.filter(({ method }) => method !== 'OPTIONS')
  const templates = new Map(
    foldPaths(compared, findMentions(compared)).flatMap(({ path, samples: own }) =>
      own.map((sample) => [sample, path] as const),
    ),
  )
  const routes = new Map<string, { exchanges: number; drifts: Map<string, Drift> }>()
  for (const sample of compared) {
    const expected = baseline(sample)
    const name = expected?.name ?? `${sample.method} ${templates.get(sample) ?? ''}`
    const route = routes.get(name) ?? { exchanges: 0, drifts: new Map<string, Drift>() }
    routes.set(name, route)
    route.exchanges++
    const found = expected === undefined ? [unknownRoute(sample)] : findingsOf(sample, expected)
    for (const each of new Map(found.map((one) => [keyOf(one), one])).values())
      add(route.drifts, each, sample)
  }
  return [...routes]
    .map(([route, { exchanges, drifts }]) => ({ route, exchanges, drifts: [...drifts.values()] }))
    .toSorted((a, b) => (a.route < b.route ? -1 : 1))
}

function findingsOf(sample: Sample, { statuses, answer }: ExpectedRoute): readonly Finding[] {
  const { method, status, mimeType, responseHeaders, response } = sample
  const expected = answer(status)
  if (expected === undefined) return [finding('status not declared', '', statuses.join(', '), String(status))]
  const { types, headers, compare } = expected
  const missing = headers
    .filter((name) => !Object.hasOwn(responseHeaders, name))
    .map((name) => finding('header removed', '', name, 'nothing'))
  const type = essenceOf(mimeType)
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status)
  if (hasBody && types.length > 0 && !types.some((range) => includes(range, type)))
    return [...missing, finding('content type changed', '', types.join(' or '), type || 'nothing')]
  return hasBody && response !== undefined && compare !== undefined
    ? [...missing, ...compare(response)]
    : missing
}

function includes(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  if (range === 'application/json') return type.endsWith('+json')
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

function unknownRoute({ method }: Sample): Finding {
  return finding('path not declared', '', 'nothing', method)
}

function add(drifts: Map<string, Drift>, found: Finding, sample: Sample): void {
  const key = keyOf(found)
  const known = drifts.get(key)
  const { index, method, segments, status } = sample
  const example = known?.example ?? { number: index + 1, request: `${method} /${segments.join('/')}`, status }
  drifts.set(key, { ...(known ?? found), exchanges: (known?.exchanges ?? 0) + 1, example })
}

// Values that break a constraint are all different, and one drift.
function keyOf({ change, pointer, expected, actual }: Finding): string {
  return JSON.stringify([change, pointer, expected, change === 'constraint broken' ? '' : actual])
}
