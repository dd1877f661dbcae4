import { lazy } from '../../engine/lazy.ts'
import type { Gauges } from './gauges.ts'
import { createTallies, type Ended } from './tallies.ts'

/** Counts requests and their times. */
export interface Metrics {
  note(ended: Ended): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

/** The metrics of one gateway. What writes them down is loaded when they are first asked for. */
export function createMetrics(gauges: Gauges): Metrics {
  const tallies = createTallies()
  const register = lazy(async () => (await import('./prometheus.ts')).createRegister(gauges, tallies.all))
  return {
    note: tallies.note,
    text: async () => (await register()).metrics(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }
}
