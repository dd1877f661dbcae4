/** One request as the journal keeps it: without secrets. Bodies are those of simulated routes, and answers of adapters. */
export interface JournalEntry {
  /** Counts the requests of the gateway, from 1. */
  readonly id: number
  /** When it came by the session's clock, such as `2026-01-31T12:00:00.000Z`. */
  readonly time: string
  /** The key of its session. */
  readonly session: string
  readonly method: string
  readonly url: string
  readonly host: string
  readonly path: string
  readonly query: Readonly<Record<string, readonly string[]>>
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Absent where an adapter answered: only the adapter knows what in it is secret. */
  readonly requestBody?: unknown
  readonly responseBody?: unknown
  /** The declared route that was asked. */
  readonly route?: string
  readonly mode: string
  /** Absent when the connection ended without an answer. */
  readonly status?: number
  readonly durationMs: number
  /** What chaos did to it, such as `latency 120 ms` or `reset`. */
  readonly chaos?: readonly string[]
}
