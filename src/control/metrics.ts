import { lazy } from '../engine/lazy.ts'
import type { Gauges } from './prometheus.ts'
import { createTallies, type Ended } from './tallies.ts'

/** Counts requests and their times. */
export interface Metrics {
  /** @param code that of the error it ended with */
  note(ended: Ended, code?: string): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  /** Everything as JSON data, to be added to what others have measured. */
  data(): Promise<readonly object[]>
  readonly contentType: string
}

/** The metrics of one gateway. What writes them down is loaded when they are first requested. */
export function createMetrics(gauges: Gauges): Metrics {
  const tallies = createTallies()
  const register = lazy(async () => (await import('./prometheus.ts')).createRegister(gauges, tallies))
  return {
    note: tallies.note,
    text: async () => (await register()).metrics(),
    data: async () => (await register()).getMetricsAsJSON(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }
}

/** What several gateways have measured, added up, in the text format of Prometheus. */
export async function sumMetrics(all: readonly (readonly object[])[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  return AggregatorRegistry.aggregate([...all]).metrics()
}
