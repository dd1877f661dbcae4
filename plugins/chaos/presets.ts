import type { ChaosRule } from '../../src/engine/chaos-rule.ts'

/** Chaos by plain names. */
export const PRESETS: Readonly<Record<string, readonly ChaosRule[]>> = {
  /** A server that mostly works: now and then an error, a lost connection, a wait. */
  flaky: [
    {
      name: 'flaky',
      latency: { distribution: 'lognormal', p50: 20, p99: 800 },
      errors: { rate: 0.05, codes: { 500: 1, 502: 1, 503: 2 } },
      faults: { reset: 0.02, truncate: 0.01 },
    },
  ],
  /** A phone on a slow network: every answer comes late, and at 400 kbit/s. */
  'slow-3g': [
    {
      name: 'slow-3g',
      latency: { distribution: 'lognormal', p50: 400, p99: 2000 },
      faults: { 'slow-body': { rate: 1, bytesPerSecond: 50_000 } },
    },
  ],
  /** A server near its limits: slow, often overloaded, sometimes silent. */
  brownout: [
    {
      name: 'brownout',
      latency: { distribution: 'lognormal', p50: 800, p99: 8000 },
      errors: { rate: 0.2, codes: { 503: 4, 504: 1 } },
      faults: { hang: 0.01 },
    },
  ],
  /** A server that is down, in the ways in which servers are. */
  outage: [
    {
      name: 'outage',
      errors: { rate: 0.7, codes: { 502: 1, 503: 2 } },
      faults: { reset: 0.2, empty: 0.05, hang: 0.05 },
    },
  ],
}
