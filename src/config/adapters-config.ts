import { flag, oneOf, text, texts, type Check } from './checks.ts'
import { isTable } from '../data-files/data-file.ts'
import type { Specs } from './read-table.ts'

/** One entry of `gateway.adapters` in a config file: an adapter, what it answers, and its configuration. */
export interface AdapterMountConfig {
  /** A package, or a module relative to the config file, that exports `adapter`. */
  readonly use: string
  readonly host?: string
  readonly prefix?: string
  /** Relative to the config file. */
  readonly fixture?: string
  readonly seed?: number
  /** What the adapter has of its own, by the names it has in code. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly auth?: 'disabled' | 'optional' | 'strict'
  readonly tokens?: readonly {
    readonly token: string
    readonly user?: string
    readonly scopes?: readonly string[]
    readonly grants?: readonly string[]
  }[]
  readonly stateful?: boolean
  readonly strict?: boolean
  readonly consistency?: 'reject' | 'continue'
  readonly clock?: 'still' | 'running'
  readonly startAt?: string
  readonly isolate?: 'token'
  readonly faults?: readonly Readonly<Record<string, unknown>>[]
  readonly rateLimit?: readonly {
    readonly requests: number
    readonly windowSeconds: number
    readonly operation?: string
  }[]
}

const whole: Check = (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number')
const amount: Check = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'a number of 0 or more'

/** The keys of an entry, besides those of where it is mounted. */
export const ADAPTER_SPECS: Specs = {
  use: text,
  fixture: text,
  seed: whole,
  options: { own: (value) => (isTable(value) ? [] : [{ path: [], message: 'must be keys with values' }]) },
  auth: oneOf(['disabled', 'optional', 'strict']),
  tokens: { each: { token: text, user: text, scopes: texts, grants: texts }, needs: ['token'] },
  stateful: flag,
  strict: flag,
  consistency: oneOf(['reject', 'continue']),
  clock: oneOf(['still', 'running']),
  startAt: text,
  isolate: oneOf(['token']),
  faults: {
    each: {
      operation: text,
      status: whole,
      code: text,
      retryAfterSeconds: amount,
      latencyMs: amount,
      jitterMs: amount,
      rate: amount,
      skip: whole,
      times: whole,
      when: oneOf(['before', 'after']),
    },
  },
  rateLimit: {
    each: { requests: whole, windowSeconds: amount, operation: text },
    needs: ['requests', 'windowSeconds'],
  },
}
