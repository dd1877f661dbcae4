import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '../upstream/agents.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** One request that ended. */
export interface Ended {
  /** The declared route, if one was asked. */
  readonly route: string | undefined
  readonly mode: string
  /** Absent when the connection ended without an answer. */
  readonly status: number | undefined
  readonly durationMs: number
}

/** What is measured beside requests, when it is asked for. */
export interface Gauges {
  readonly sessions: Sessions
  readonly pools: () => readonly Pool[]
  /** Bytes that wait to be recorded. */
  readonly backlog: () => number
}

/** Counts requests and their times. */
export interface Metrics {
  note(ended: Ended): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

/** The routes that have labels of their own; an app with more has the others counted together. */
const MOST_ROUTES = 500
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one gateway. */
export function createMetrics(gauges: Gauges): Metrics {
  const register = new Registry()
  const registers = [register]
  const routes = new Set<string>()
  const requests = new Counter({
    name: 'sim_requests_total',
    help: 'Requests that ended, by declared route, mode and status; status 0 is a connection without an answer',
    labelNames: ['route', 'mode', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'sim_request_duration_seconds',
    help: 'How long requests took, latency of chaos included',
    labelNames: ['route', 'mode'],
    buckets: SECONDS,
    registers,
  })
  createGauges(gauges, registers)

  const labelOf = (route: string | undefined): string => {
    if (route === undefined) return 'undeclared'
    if (routes.size < MOST_ROUTES) routes.add(route)
    return routes.has(route) ? route : 'other'
  }
  return {
    note({ route, mode, status = 0, durationMs }) {
      const label = labelOf(route)
      requests.inc({ route: label, mode, status })
      durations.observe({ route: label, mode }, durationMs / 1000)
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

function createGauges({ sessions, pools, backlog }: Gauges, registers: Registry[]): void {
  const connections = new Gauge({
    name: 'sim_upstream_connections',
    help: 'Connections to upstreams, and the requests on them',
    labelNames: ['origin', 'state'],
    registers,
    collect() {
      connections.reset()
      for (const { origin, ...counts } of pools())
        for (const [state, count] of Object.entries(counts)) connections.set({ origin, state }, count)
    },
  })
  const measure = (name: string, help: string, value: () => number): void => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(value()) })
  }
  measure(
    'sim_sessions',
    'Sessions, the one of requests that name none included',
    () => sessions.all().length,
  )
  measure('sim_store_items', 'Items in the stores of all sessions', () =>
    sessions.all().reduce((sum, { store }) => sum + (store?.size ?? 0), 0),
  )
  measure('sim_recorder_backlog_bytes', 'Bytes of exchanges that wait to be written', backlog)
}
