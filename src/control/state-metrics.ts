import type { Registry } from 'prom-client'
import type { SharedState, StateHealth } from '../state/shared-state.ts'
import { registerCounter, registerGauge, registerTotal, type MetricKind } from './metric-kinds.ts'

/** Measures what a gateway has to do with the state that it shares; added up, gateways do not say it twice. */
export function registerState(registers: Registry[], state: SharedState): void {
  const { stats } = state
  const measure = (
    name: string,
    help: string,
    value: (health: StateHealth) => number,
    aggregator: MetricKind['aggregator'] = 'max',
  ): void => registerGauge(registers, { name, help, aggregator }, () => value(state.health()))
  const count = (name: string, help: string, label: string, counts: ReadonlyMap<string, number>): void =>
    registerCounter(registers, { name, help }, [label], () =>
      [...counts].map(([value, times]) => [{ [label]: value }, times] as const),
    )
  measure(
    'sim_state_up',
    'Whether the server of the shared state answers',
    (at) => Number(at.reachable),
    'min',
  )
  measure('sim_state_round_trip_seconds', 'How long it took to answer last', (at) => at.roundTripSeconds)
  measure('sim_state_version', 'Changes of the control plane that are in force', (at) => at.version, 'min')
  measure('sim_state_gateways', 'Gateways that share the state', (at) => at.gateways.length)
  measure('sim_state_clock_error_seconds', 'By how much the clock may be wrong', (at) => at.clockErrorSeconds)
  measure(
    'sim_state_journal_pending',
    'Entries of the journal that others do not have yet',
    (at) => at.journalPending,
    'sum',
  )
  count('sim_state_calls_total', 'Commands and scripts that were sent', 'script', stats.calls)
  count('sim_state_errors_total', 'Those that failed, by code', 'code', stats.errors)
  registerTotal(
    registers,
    { name: 'sim_state_retries_total', help: 'Changes made again since another gateway was quicker' },
    () => stats.retries,
  )
  registerTotal(
    registers,
    {
      name: 'sim_state_journal_dropped_total',
      help: 'Entries of the journal that were not passed on while the server was away',
    },
    () => state.health().journalDropped,
  )
}
