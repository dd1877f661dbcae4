import { Counter, Gauge, type Registry } from 'prom-client'
import type { Awaitable } from '../message.ts'

type Labels = Readonly<Record<string, string>>

/** What a metric is called, and how those of several processes are added up. */
export interface MetricKind {
  readonly name: string
  readonly help: string
  readonly aggregator?: 'min' | 'max' | 'sum'
}

/** A counter that something else counts, read by its labels when metrics are requested. */
export function registerCounter(
  registers: Registry[],
  kind: MetricKind,
  labelNames: readonly string[],
  read: () => Iterable<readonly [labels: Labels, count: number]>,
): void {
  const counter: Counter = new Counter({
    ...{ ...kind, registers, labelNames },
    collect() {
      counter.reset()
      for (const [labels, count] of read()) counter.inc(labels, count)
    },
  })
}

/** A counter without labels. */
export function registerTotal(registers: Registry[], kind: MetricKind, read: () => number): void {
  registerCounter(registers, kind, [], () => [[{}, read()]])
}

/** A gauge that is read when metrics are requested; it stays as it was where `undefined` is read. */
export function registerGauge(
  registers: Registry[],
  kind: MetricKind,
  read: () => Awaitable<number | undefined>,
): void {
  const gauge: Gauge = new Gauge({
    ...{ ...kind, registers },
    async collect() {
      const value = await read()
      if (value !== undefined) gauge.set(value)
    },
  })
}
