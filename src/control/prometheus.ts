import { Gauge, Registry, type Metric } from 'prom-client'
import type { RecorderCounts } from '../recording/capture/recorder.ts'
import type { ShadowCounts } from '../modes/shadow.ts'
import type { ViolationCount } from '../openapi/contract/contract.ts'
import type { Sessions } from '../state/sessions.ts'
import type { SharedState, StateTotals } from '../state/shared-state.ts'
import type { Pool } from '../upstream/agents.ts'
import { registerCounter, registerGauge, registerTotal } from './metric-kinds.ts'
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
  const registers = [register]
  registerCounts(registers, tallies, errors)
  registerOutcomes(registers, gauges)
  register.registerMetric(histogramOf(tallies))
  createGauges(gauges, registers)
  if (gauges.state !== undefined) registerState(registers, gauges.state)
  return register
}

function registerCounts(registers: Registry[], all: readonly Tally[], errors: Tallies['errors']): void {
  registerCounter(
    registers,
    {
      name: 'sim_requests_total',
      help: 'Requests that ended, by declared route, mode and status; status 0 is a connection without an answer',
    },
    ['route', 'mode', 'status'],
    () =>
      all.flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, count]) => [{ ...labels, status: String(status) }, count] as const),
      ),
  )
  registerCounter(
    registers,
    { name: 'sim_errors_total', help: 'Requests that ended with an error of the gateway, by its code' },
    ['code'],
    () => [...errors].map(([code, count]) => [{ code }, count] as const),
  )
}

function registerOutcomes(registers: Registry[], { violations, shadow }: Gauges): void {
  registerCounter(
    registers,
    {
      name: 'sim_contract_violations_total',
      help: 'Ways in which requests and answers are not as described, by side and rule',
    },
    ['side', 'rule'],
    () => violations().map(({ side, rule, count }) => [{ side, rule }, count] as const),
  )
  registerCounter(
    registers,
    {
      name: 'sim_shadow_requests_total',
      help: 'Requests of mode shadow, by whether their upstream’s answer was compared, they were dropped, or it failed',
    },
    ['outcome'],
    () =>
      Object.entries(shadow())
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => [{ outcome }, count] as const),
  )
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
  const measure = (name: string, help: string, value: () => number): void =>
    registerGauge(registers, { name, help }, value)
  // What gateways share each of them would count again.
  const aggregator = state === undefined ? 'sum' : 'max'
  const measureAll = (name: string, help: string, value: (totals: StateTotals) => number): void =>
    registerGauge(registers, { name, help, aggregator }, async () => {
      const totals = state === undefined ? totalsOf(sessions) : await state.totals().catch(() => undefined)
      return totals && value(totals)
    })
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
  const count = (name: string, help: string, value: (counts: RecorderCounts) => number): void =>
    registerTotal(registers, { name, help }, () => sum(value))
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
