import { SimError } from '../errors.ts'
import type { ReplyParts } from './request.ts'

/** Why a page token is refused. */
export type PageTokenReason = 'malformed' | 'altered' | 'foreign' | 'stale' | 'expired'

/** What can go wrong with a request before or beside an adapter's own rules. `toAnswer` gives each its form. */
export type Failure =
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'method-not-allowed'; readonly allowed: readonly string[] }
  | { readonly kind: 'unimplemented'; readonly operation: string }
  | { readonly kind: 'no-credentials' }
  | { readonly kind: 'bad-credentials' }
  | { readonly kind: 'missing-scope'; readonly scope: string }
  | Denied
  | { readonly kind: 'malformed-body'; readonly reason: string }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'page-token'; readonly reason: PageTokenReason }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | InjectedFailure
  | { readonly kind: 'internal'; readonly error: unknown }

/** Credentials that are good, but not for this. */
export interface Denied {
  readonly kind: 'denied'
  readonly operation: string
  /** What may not be used, where one thing was requested. */
  readonly resource?: string
  /** What the denial hook said. */
  readonly reason?: string
}

/** A failure that a fault rule causes. */
export interface InjectedFailure {
  readonly kind: 'injected'
  readonly status: number
  readonly code?: string
  readonly retryAfterSeconds?: number
}

const FAILURE = Symbol.for('sim-gateway.adapter.Failure')
const FAULT = Symbol.for('sim-gateway.adapter.Fault')

class FailureRaised extends Error {
  readonly [FAILURE]: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this[FAILURE] = failure
  }
}

/** Ends a request by a failure of the kit's, which the adapter's `toAnswer` gives its form. */
export function fail(failure: Failure): never {
  throw new FailureRaised(failure)
}

/** The failure that `fail` was called with; `undefined` for any other error. */
export function failureOf(error: unknown): Failure | undefined {
  return error instanceof Error && FAILURE in error ? (error[FAILURE] as Failure) : undefined
}

/** An answer thrown by a handler: an error of the imitated service, in that service's form. */
export class AdapterFault extends Error {
  readonly [FAULT] = true
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown

  constructor({ status, headers = {}, body }: ReplyParts & { readonly status: number }) {
    super(`answered ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }

  /** Whether a value is one, even of another copy of this package. */
  static is(value: unknown): value is AdapterFault {
    return value instanceof Error && FAULT in value
  }
}

/** Whether the gateway has to say that another has the state by now. */
export function isElsewhere(error: unknown): boolean {
  return SimError.is(error) && error.code === 'SIM_STATE_ELSEWHERE'
}
