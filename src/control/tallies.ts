/** One request that ended. */
export interface Ended {
  /** The declared route, if there was one. */
  readonly route: string | undefined
  readonly mode: string
  /** Absent when the connection ended without an answer. */
  readonly status: number | undefined
  readonly durationMs: number
}

/** Counts requests, and their times, by route and mode. */
export interface Tallies {
  /** @param code that of the error it ended with */
  note(ended: Ended, code?: string): void
  /** How many ended with an error, by its code. */
  readonly errors: ReadonlyMap<string, number>
  readonly all: readonly Tally[]
}

/** The routes that have labels of their own; an app with more has the others counted together. */
const MAX_ROUTES = 500
/** The bounds of the buckets that times are counted in. */
export const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is known of the requests of one route in one mode. */
export interface Tally {
  readonly labels: { readonly route: string; readonly mode: string }
  readonly statuses: Map<number, number>
  /** How many took no longer than each of `SECONDS` and longer than the one before, and last those beyond. */
  readonly buckets: number[]
  sum: number
  count: number
}

/**
 * Counts requests so that each costs little: labels are looked up once for each route, and what Prometheus gets is
 * added up when it is requested.
 */
export function createTallies(): Tallies {
  const byMode = new Map<string, Map<string | undefined, Tally>>()
  const all: Tally[] = []
  const routes = new Set<string>()
  const errors = new Map<string, number>()

  const labelOf = (route: string | undefined): string => {
    if (route === undefined) return 'undeclared'
    if (routes.size < MAX_ROUTES) routes.add(route)
    return routes.has(route) ? route : 'other'
  }
  const tallyOf = (route: string | undefined, mode: string): Tally => {
    const inMode = byMode.get(mode) ?? new Map<string | undefined, Tally>()
    byMode.set(mode, inMode)
    const label = labelOf(route)
    const shared = label === 'other' ? inMode.get(label) : undefined
    const tally = shared ?? createTally({ route: label, mode })
    if (shared === undefined) all.push(tally)
    inMode.set(label === 'other' ? label : route, tally)
    return tally
  }

  return {
    all,
    errors,
    note({ route, mode, status = 0, durationMs }, code) {
      if (code !== undefined) errors.set(code, (errors.get(code) ?? 0) + 1)
      const tally = byMode.get(mode)?.get(route) ?? tallyOf(route, mode)
      const seconds = durationMs / 1000
      let bucket = 0
      while (seconds > (SECONDS[bucket] ?? Infinity)) bucket++
      tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
      tally.sum += seconds
      tally.count++
    },
  }
}

function createTally(labels: Tally['labels']): Tally {
  return { labels, statuses: new Map(), buckets: [...SECONDS, Infinity].map(() => 0), sum: 0, count: 0 }
}
