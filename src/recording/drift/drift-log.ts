import { compareTexts, countEach, entryOf } from '../../grouping.ts'
import type { Sample } from '../inference/sample.ts'
import { type Finding, SEVERITIES, type Severity } from '../../shape/finding.ts'

/** A difference, with how many exchanges show it and which did first. */
interface Drift extends Finding {
  readonly exchanges: number
  readonly example: {
    /** Which exchange of the recording, or of those that were forwarded; 1 is the first. */
    readonly number: number
    readonly request: string
    readonly status: number
  }
}

/** What drifted of one route. */
interface RouteDrift {
  readonly route: string
  /** How many were compared. */
  readonly exchanges: number
  readonly drifts: readonly Drift[]
}

/** What drifted. Routes without a difference are there too. Its form as JSON is stable. */
export interface DriftReport {
  /** How many differences, and of them how many of which severity. */
  readonly drifts: number
  readonly severities: Readonly<Record<Severity, number>>
  /** How many were compared. */
  readonly exchanges: number
  /** Exchanges that were not compared, because others waited to be. */
  readonly skipped: number
  /** Further routes and differences that were found and not kept. */
  readonly dropped: number
  /** By name; their differences from the worst to the least. */
  readonly routes: readonly RouteDrift[]
}

/** Gathers what drifted; it holds no more than so many routes, and differences of each. */
interface DriftLog {
  /** Notes how an exchange differs. Returns what was not known before. */
  add(route: string, sample: Sample, findings: readonly Finding[]): readonly Finding[]
  /** Notes that an exchange was not compared. */
  skip(): void
  report(): DriftReport
  clear(): void
}

const MAX_ROUTES = 1000
const MAX_DRIFTS = 200

interface Route {
  exchanges: number
  readonly drifts: Map<string, Drift>
}

/** An empty log. */
export function createDriftLog(): DriftLog {
  const routes = new Map<string, Route>()
  const counts = { exchanges: 0, skipped: 0, dropped: 0 }

  const note = (drifts: Map<string, Drift>, found: Finding, sample: Sample): boolean => {
    const key = keyOf(found)
    const known = drifts.get(key)
    if (known === undefined && drifts.size >= MAX_DRIFTS) {
      counts.dropped++
      return false
    }
    const example = known?.example ?? exampleOf(sample)
    drifts.set(key, { ...(known ?? found), exchanges: (known?.exchanges ?? 0) + 1, example })
    return known === undefined
  }
  return {
    add(name, sample, findings) {
      counts.exchanges++
      if (!routes.has(name) && routes.size >= MAX_ROUTES) {
        counts.dropped++
        return []
      }
      const route = entryOf(routes, name, (): Route => ({ exchanges: 0, drifts: new Map() }))
      route.exchanges++
      const each = new Map(findings.map((found) => [keyOf(found), found]))
      return [...each.values()].filter((found) => note(route.drifts, found, sample))
    },
    skip() {
      counts.skipped++
    },
    report: () => reportOf(routes, counts),
    clear() {
      routes.clear()
      Object.assign(counts, { exchanges: 0, skipped: 0, dropped: 0 })
    },
  }
}

function reportOf(
  routes: ReadonlyMap<string, Route>,
  counts: Pick<DriftReport, 'exchanges' | 'skipped' | 'dropped'>,
): DriftReport {
  const all = [...routes.values()].flatMap(({ drifts }) => [...drifts.values()])
  const severities = countEach(all.map(({ severity }) => severity))
  return {
    drifts: all.length,
    severities: Object.fromEntries(
      SEVERITIES.toReversed().map((severity) => [severity, severities.get(severity) ?? 0]),
    ) as Record<Severity, number>,
    ...counts,
    routes: [...routes]
      .map(([route, { exchanges, drifts }]) => ({ route, exchanges, drifts: worstFirst(drifts.values()) }))
      .toSorted((a, b) => compareTexts(a.route, b.route)),
  }
}

function worstFirst(drifts: Iterable<Drift>): readonly Drift[] {
  return [...drifts].toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))
}

function exampleOf({ index, method, segments, status }: Sample): Drift['example'] {
  return { number: index + 1, request: `${method} /${segments.join('/')}`, status }
}

// Values that break a constraint are all different, and one drift.
function keyOf({ change, part, pointer, expected, actual }: Finding): string {
  const isOne = change === 'constraint broken' || change === 'header changed' || change === 'value changed'
  return JSON.stringify([
    change,
    part,
    pointer,
    change === 'value changed' ? '' : expected,
    isOne ? '' : actual,
  ])
}

/** What drifted, for people to read. */
export function driftText({ routes, skipped, dropped }: DriftReport): string {
  const lines = routes.map(routeText)
  if (dropped > 0)
    lines.push(`${dropped} more ${dropped === 1 ? 'difference' : 'differences'} were found and not kept`)
  if (skipped > 0) lines.push(`${skipped} ${skipped === 1 ? 'exchange was' : 'exchanges were'} not compared`)
  return lines.map((line) => `${line}\n`).join('')
}

/** A difference in a line. */
export function findingText({ severity, change, part, pointer, expected, actual }: Finding): string {
  const place = pointer === '' ? '' : ` at ${PLACES[part] ?? ''}${pointer}`
  return `${severity}: ${change}${place}: ${expected} -> ${actual}`
}

// That a field is one of the answer's body goes without saying, and a header is called one by its change.
const PLACES: Readonly<Partial<Record<Finding['part'], string>>> = {
  query: 'query ',
  'request-body': 'request body ',
}

function routeText({ route, exchanges, drifts }: RouteDrift): string {
  const of = `${route}: ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  if (drifts.length === 0) return `${of}, no drift`
  const lines = drifts.flatMap((drift) => {
    const { number, request, status } = drift.example
    const times = `${drift.exchanges} of ${exchanges}, first #${number} ${request} ${status}`
    return [`  ${findingText(drift)}`, `    ${times}`]
  })
  return [of, ...lines].join('\n')
}
