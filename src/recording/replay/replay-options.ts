import { isHeaderName } from '../../http/headers.ts'
import type { MatchOptions } from '../match/match.ts'
import { readPointerGlob } from '../match/ignored.ts'
import { OptionInvalid } from '../../errors.ts'

/** What comes after the last of the answers that were recorded for a request. */
export const AFTER_LAST = ['hold', 'loop', 'miss'] as const

/** How one of several recorded answers is picked. */
export const PICKS = ['causal', 'sequence', 'first', 'last'] as const

/** Whose recorded timing is kept. */
export const TIMINGS = ['streams', 'original', 'none'] as const

/** How requests are found in a recording, and how their answers are given. */
export interface ReplayOptions extends MatchOptions {
  /**
   * Which of several recorded answers to a request comes: `causal`: the one that was recorded in the state which the
   * session has come to, and of those the next; `sequence`: the next; `first` or `last`: always that. Default: `causal`.
   */
  readonly pick?: (typeof PICKS)[number] | undefined
  /** Where all were given: the last answer again, the first again, or none as if nothing were recorded. Default: `hold`. */
  readonly after?: (typeof AFTER_LAST)[number] | undefined
  /** `streams`: event streams and WebSockets come as they came; `original`: everything does. Default: `streams`. */
  readonly timing?: (typeof TIMINGS)[number] | undefined
  /** How many times faster than recorded. Default: 1. */
  readonly speed?: number | undefined
}

type Check = (value: unknown) => string | undefined

/** What each option must be. */
export const REPLAY_CHECKS: Readonly<Record<keyof ReplayOptions, Check>> = {
  matchHeaders: listOf(isHeaderName, 'a list of names of headers such as accept-language'),
  ignoreHost: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  ignoreQuery: listOf(() => true, 'a list of names of parameters such as page or utm_*'),
  ignoreBody: listOf(isPointer, 'a list of JSON pointers such as /user/id or /items/*/id'),
  ignorePatterns: (value) => texts(value) ?? problemOf(value as string[]),
  pick: oneOf(PICKS),
  after: oneOf(AFTER_LAST),
  timing: oneOf(TIMINGS),
  speed: (value) =>
    typeof value === 'number' && value > 0 && value < Infinity ? undefined : 'a number above 0',
}

/** @throws OptionInvalid for a value that cannot be */
export function checkReplayOptions(options: ReplayOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(REPLAY_CHECKS, name))
      throw new OptionInvalid(
        `replay has no option '${name}'. Options: ${Object.keys(REPLAY_CHECKS).join(', ')}`,
      )
    const wanted = value === undefined ? undefined : REPLAY_CHECKS[name as keyof ReplayOptions](value)
    if (wanted !== undefined)
      throw new OptionInvalid(`replay: ${name} must be ${wanted}, not ${JSON.stringify(value)}`)
  }
}

function isPointer(text: string): boolean {
  return readPointerGlob(text) !== undefined
}

function listOf(fits: (text: string) => boolean, wanted: string): Check {
  return (value) => (texts(value) === undefined && (value as string[]).every(fits) ? undefined : wanted)
}

function texts(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isList ? undefined : 'a list of regular expressions'
}

function problemOf(patterns: readonly string[]): string | undefined {
  try {
    return void patterns.map((pattern) => new RegExp(pattern, 'g'))
  } catch (error) {
    return `a list of regular expressions (${(error as Error).message})`
  }
}

function oneOf(names: readonly string[]): Check {
  return (value) => (names.some((name) => name === value) ? undefined : `one of ${names.join(', ')}`)
}
