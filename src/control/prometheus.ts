import { Counter, Gauge, Registry, type Metric } from 'prom-client'
import type { RecorderCounts } from '../recording/capture/recorder.ts'
import type { ShadowCounts } from '../modes/shadow.ts'
import type { ViolationCount } from '../openapi/contract/contract.ts'
import type { Sessions } from '../state/sessions.ts'
import type { SharedState, StateTotals } from '../state/shared-state.ts'
import type { Pool } from '../upstream/agents.ts'
import { registerState } from './state-metrics.ts'
import { SECONDS, type Tallies, type Tally } from './tallies.ts'

/** What is measured beside requests, when it is requested. */
export interface Gauges {
  readonly sessions: Sessions
  /** What several gateways have in common; absent where this one is alone. */
  readonly state?: SharedState | undefined
  readonly pools: () => readonly Pool[]
  /** What each recorder did. */
  readonly recording: () => readonly RecorderCounts[]
  /** What became of requests in mode `shadow`. */
  readonly shadow: () => ShadowCounts
  /** How often each rule of a contract was broken, where one is checked. */
  readonly violations: () => readonly ViolationCount[]
}

/** What is counted and measured, in the form of Prometheus. */
export function createRegister(
  gauges: Gauges,
  { all: tallies, errors }: Pick<Tallies, 'all' | 'errors'>,
): Registry {
  const register = new Registry()
  registerCounter(register, tallies)
  registerErrors(register, errors)
  registerViolations(register, gauges)
  registerShadow(register, gauges)
  register.registerMetric(histogramOf(tallies))
  createGauges(gauges, [register])
  if (gauges.state !== undefined) registerState(register, gauges.state)
  return register
}

function registerCounter(register: Registry, all: readonly Tally[]): void {
  const counter: Counter = new Counter({
    name: 'sim_requests_total',
    help: 'Requests that ended, by declared route, mode and status; status 0 is a connection without an answer',
    labelNames: ['route', 'mode', 'status'],
    registers: [register],
    collect() {
      counter.reset()
      for (const { labels, statuses } of all)
        for (const [status, count] of statuses) counter.inc({ ...labels, status }, count)
    },
  })
}

function registerErrors(register: Registry, errors: Tallies['errors']): void {
  const counter: Counter = new Counter({
    name: 'sim_errors_total',
    help: 'Requests that ended with an error of the gateway, by its code',
    labelNames: ['code'],
    registers: [register],
    collect() {
      counter.reset()
      for (const [code, count] of errors) counter.inc({ code }, count)
    },
  })
}

function registerViolations(register: Registry, { violations }: Gauges): void {
  const counter: Counter = new Counter({
    name: 'sim_contract_violations_total',
    help: 'Ways in which requests and answers are not as described, by side and rule',
    labelNames: ['side', 'rule'],
    registers: [register],
    collect() {
      counter.reset()
      for (const { side, rule, count } of violations()) counter.inc({ side, rule }, count)
    },
  })
}

function registerShadow(register: Registry, { shadow }: Gauges): void {
  const counter: Counter = new Counter({
    name: 'sim_shadow_requests_total',
    help: 'Requests of mode shadow, by whether their upstream’s answer was compared, they were dropped, or it failed',
    labelNames: ['outcome'],
    registers: [register],
    collect() {
      counter.reset()
      for (const [outcome, count] of Object.entries(shadow())) if (count > 0) counter.inc({ outcome }, count)
    },
  })
}

const DURATIONS = {
  name: 'sim_request_duration_seconds',
  help: 'How long requests took, latency of chaos included',
  type: 'histogram',
}

// A metric is what has a name and can be read for its values.
function histogramOf(all: readonly Tally[]): Metric {
  const get = (): unknown => ({ ...DURATIONS, aggregator: 'sum', values: all.flatMap(valuesOf) })
  return { ...DURATIONS, get, reset: () => undefined } as unknown as Metric
}

function valuesOf({ labels, buckets, sum, count }: Tally): readonly object[] {
  let below = 0
  const bounded = [...SECONDS, '+Inf'].map((le, index) => ({
    metricName: `${DURATIONS.name}_bucket`,
    labels: { le, ...labels },
    value: (below += buckets[index] ?? 0),
  }))
  return [
    ...bounded,
    { metricName: `${DURATIONS.name}_sum`, labels, value: sum },
    { metricName: `${DURATIONS.name}_count`, labels, value: count },
  ]
}

function createGauges({ sessions, state, pools, recording }: Gauges, registers: Registry[]): void {
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
  // What gateways share each of them would count again.
  const measureAll = (name: string, help: string, value: (totals: StateTotals) => number): void => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers, aggregator: state === undefined ? 'sum' : 'max' },
      async collect() {
        const totals = state === undefined ? totalsOf(sessions) : await state.totals().catch(() => undefined)
        if (totals !== undefined) gauge.set(value(totals))
      },
    })
  }
  measureAll('sim_sessions', 'Sessions, the one of requests that name none included', (all) => all.sessions)
  measureAll('sim_store_items', 'Items in the stores of all sessions', (all) => all.items)
  const sum = (of: (counts: RecorderCounts) => number): number =>
    recording().reduce((total, counts) => total + of(counts), 0)
  measure('sim_recorder_backlog_bytes', 'Bytes of exchanges that wait to be written', () =>
    sum(({ backlogBytes }) => backlogBytes),
  )
  measure('sim_recorder_stopped', 'Recordings that have stopped', () =>
    sum(({ isStopped }) => Number(isStopped)),
  )
  const count = (name: string, help: string, value: (counts: RecorderCounts) => number): void => {
    const counter: Counter = new Counter({
      name,
      help,
      registers,
      collect() {
        counter.reset()
        counter.inc(sum(value))
      },
    })
  }
  count('sim_recorder_written_total', 'Exchanges that were recorded', ({ written }) => written)
  count(
    'sim_recorder_dropped_total',
    'Exchanges that were not, since the disk did not keep up or recording had stopped',
    ({ dropped }) => dropped,
  )
  count('sim_recorder_waits_total', 'How often traffic had to wait for the recording', ({ waits }) => waits)
  count('sim_recorder_wait_seconds_total', 'How long it waited in all', ({ waitedMs }) => waitedMs / 1000)
}

function totalsOf(sessions: Sessions): StateTotals {
  const all = sessions.all()
  return { sessions: all.length, items: all.reduce((sum, { store }) => sum + (store?.size ?? 0), 0) }
}
