import type { System } from './system.ts'
import type { WireMock } from './wiremock.ts'

/** What is measured of a system, by name, in the order of the table. */
export const BARS = [
  'replay',
  'bytes',
  'other order',
  'itself',
  'seen',
  'held out',
  'checks',
  'plain replay',
  'WireMock',
  'by rule',
  'rule alone',
  'drift',
  'valid',
  'again',
] as const
export type Bar = (typeof BARS)[number]

/** One figure, whether it suffices, and what is short. */
export interface Measured {
  readonly figure: string
  readonly ok: boolean
  readonly why: readonly string[]
}

export interface Result {
  readonly name: string
  readonly exchanges: number
  readonly measured: Partial<Record<Bar, Measured>>
}

/** What proving a system works with. */
export interface Proving {
  readonly name: string
  readonly system: System
  /** A folder for all that it writes. */
  readonly directory: string
  readonly wireMock: WireMock | undefined
  readonly onProgress: (what: string) => void
}

/** Notes how far a bar is reached. */
export type Note = (bar: Bar, figure: string, ok: boolean, why?: readonly string[]) => void
