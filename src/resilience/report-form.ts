import type { Behaviour } from './classify.ts'
import type { Storm } from './storms.ts'
import type { Growth } from './waits.ts'

/** What chaos did, and how clients took it. Names of keys are those of JSON. */
export interface ChaosReport {
  readonly injected: readonly Injected[]
  readonly clients: readonly ClientReport[]
  readonly requests: number
  /** Earlier requests that the journal no longer has. */
  readonly dropped: number
}

/** What one rule did to the requests of one route. */
export interface Injected {
  readonly rule: string
  readonly route: string
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly delayed: number
  readonly most_latency_ms: number
}

/** How one client took it. */
export interface ClientReport {
  /** Its `User-Agent`. */
  readonly client: string
  readonly behaviour: Behaviour
  readonly requests: number
  readonly calls: number
  readonly retries: number
  /** Calls that failed at first and then did not. */
  readonly recovered: number
  readonly given_up: number
  readonly most_attempts: number
  readonly backoff: {
    readonly growth: Growth
    readonly jitter: boolean
    readonly factor?: number
    readonly waits_ms: readonly {
      readonly median: number
      readonly least: number
      readonly most: number
      readonly count: number
    }[]
  }
  readonly retry_after: Heeded
  readonly rate_limits: Heeded
  readonly storms: readonly Storm[]
  readonly idempotency: {
    /** Retries of requests that may change something each time. */
    readonly retries: number
    readonly same_key: number
    readonly other_key: number
    readonly no_key: number
  }
  readonly statuses: readonly { readonly status: string; readonly failed: number; readonly retried: number }[]
  readonly findings: readonly Finding[]
}

/** How often a client waited as long as it was requested to. */
export interface Heeded {
  readonly requested: number
  readonly heeded: number
  readonly ignored: number
}

/** What was looked at in a client, and what is wrong with it. */
export interface Finding {
  readonly check: string
  readonly result: 'passed' | 'failed' | 'not seen'
  readonly says: string
}
