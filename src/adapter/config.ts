import { OptionInvalid } from '../errors.ts'
import type { AuthMode, AuthOptions } from './auth.ts'
import type { FaultRule } from './faults.ts'
import type { Consistency } from './page-tokens.ts'
import type { AdapterRequest } from './request.ts'

/** How many requests are admitted in a window of time, by the virtual clock. */
export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  /** The operation it counts, or a glob of ids, each of which is counted apart. Default: all together. */
  readonly operation?: string
}

/** How an adapter behaves. Adapters may add keys of their own. */
export interface AdapterConfig {
  /** What ids, tokens and chance are made of. Default: 0. */
  readonly seed?: number
  /** Who may call. Default: `optional`. */
  readonly auth?: AuthMode | AuthOptions
  /** Whether what writing operations change is kept. Default: true. */
  readonly stateful?: boolean
  /** Answers 501 for what is known but not implemented, and refuses fixtures with unknown fields. Default: false. */
  readonly strict?: boolean
  /** The fixture, or the path of its file. Default: the adapter's starter fixture. */
  readonly fixture?: string | object
  /** What becomes of page tokens when what they page through has changed. Default: `reject`. */
  readonly consistency?: Consistency
  /** When the virtual clock begins: a date, its text, or milliseconds. Default: 2026-01-01T00:00:00Z. */
  readonly startAt?: Date | string | number
  /** Whether the virtual clock stands until it is moved, or goes on with the machine's. Default: `still`. */
  readonly clock?: 'still' | 'running'
  /** The request id of request number `n`, counted from 1. Default: a UUID of seed and number. */
  readonly requestId?: (n: number, request: AdapterRequest) => string
  readonly faults?: readonly FaultRule[]
  readonly rateLimit?: RateLimit | readonly RateLimit[]
  /** Whose pages may read answers: of any origin, of the listed ones, or of none. Default: as the gateway does; any without one. */
  readonly cors?: boolean | readonly string[]
  /** Receives errors that nobody raised on purpose; their answer is that of the failure `internal`. */
  readonly onError?: (error: unknown, request: AdapterRequest) => void
  /** `token`: state, clock and faults of their own for each bearer token. */
  readonly isolate?: 'token'
}

/** What a value must be, for a message; `undefined` when it is that. */
type Check = (value: unknown) => string | undefined

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((each) => each === value)
      ? undefined
      : `one of ${values.join(', ')}, not ${JSON.stringify(value)}`
const that =
  (fits: (value: unknown) => boolean, wanted: string): Check =>
  (value) =>
    fits(value) ? undefined : wanted
const flag = that((value) => typeof value === 'boolean', 'true or false')
const mode = oneOf('disabled', 'optional', 'strict')
const isLimit = (value: unknown): boolean => {
  const { requests, windowSeconds } = value as RateLimit
  return requests >= 0 && windowSeconds > 0
}
const isOrigins = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const CHECKS: Readonly<Partial<Record<keyof AdapterConfig, Check>>> = {
  seed: that(Number.isSafeInteger, 'a whole number'),
  auth: (value) => mode(typeof value === 'object' ? ((value as AuthOptions).mode ?? 'optional') : value),
  stateful: flag,
  strict: flag,
  consistency: oneOf('reject', 'continue'),
  clock: oneOf('still', 'running'),
  isolate: oneOf('token'),
  cors: that((value) => typeof value === 'boolean' || isOrigins(value), 'true, false or a list of origins'),
  rateLimit: that(
    (value) => [value].flat().every(isLimit),
    'a number of requests, 0 or more, within windowSeconds, more than 0',
  ),
}

/** @throws OptionInvalid for a value that a key of the kit's cannot have */
export function checkConfig(name: string, config: AdapterConfig): void {
  for (const [key, check] of Object.entries(CHECKS)) {
    const value = config[key as keyof AdapterConfig]
    const wanted = value === undefined ? undefined : check(value)
    if (wanted !== undefined) throw new OptionInvalid(`${name}: ${key} must be ${wanted}`)
  }
}

/** A moment in milliseconds since 1970. @throws OptionInvalid for what is none */
export function momentOf(given: AdapterConfig['startAt']): number | undefined {
  if (given === undefined) return undefined
  const moment = new Date(given).getTime()
  if (Number.isNaN(moment))
    throw new OptionInvalid(`startAt must be a moment in time, not '${String(given)}'`)
  return moment
}
