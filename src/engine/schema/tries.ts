import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { noteLimit } from '../limit-notes.ts'
import { compileMatch, shown } from './match-pattern.ts'

/** What the validator takes for a compiled pattern. */
export interface RegExpEngine {
  (pattern: string): { test(text: string): boolean; toString(): string }
  code: string
}

/** Runs validators that may not end in time. */
export interface Tries {
  /** The validator's patterns. */
  readonly regExp: RegExpEngine
  /** What each validator of a part calls. */
  readonly step: () => void
  /** How many of these the last value took. */
  readonly steps: () => number
  /** What is wrong with a value of a model for certain: whatever the patterns would have said that were not checked in time. */
  errorsOf(validate: ValidateFunction, value: unknown, model: string): readonly ErrorObject[]
}

// The most searches left out for which what is certain is still looked for.
const MAX_UNCHECKED = 1

/** Makes the patterns of validators that call each other, and what runs them. */
export function createTries(): Tries {
  let steps = 0
  let name = ''
  // Of each search that took too long in this check: what it is taken to have found.
  const assumed = new Map<string, boolean>()

  const regExp = (pattern: string): ReturnType<RegExpEngine> => {
    const { expression, isLinear, match } = compileMatch(pattern)
    if (isLinear) return expression
    const test = (text: string): boolean => {
      const known = assumed.size === 0 ? undefined : assumed.get(keyOf(pattern, text))
      const found = known ?? match(text)
      if (found === undefined) throw new Unchecked(pattern, keyOf(pattern, text))
      return found
    }
    return { test, toString: () => String(expression) }
  }

  const tryOut = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
    try {
      return validate(value) ? NONE : (validate.errors ?? NONE)
    } catch (error) {
      if (error instanceof Unchecked) return certain(validate, value, error)
      // Models that name each other may nest deeper than the stack.
      if (!(error instanceof TooLong || error instanceof RangeError)) throw error
      noteLimit(`${name}: a value was not checked, which takes over ${MAX_STEPS} steps`)
      return NONE
    }
  }
  const certain = (validate: ValidateFunction, value: unknown, left: Unchecked): readonly ErrorObject[] => {
    if (assumed.size >= MAX_UNCHECKED) return NONE
    const trying = (found: boolean): readonly ErrorObject[] => {
      assumed.set(left.key, found)
      try {
        return tryOut(validate, value)
      } finally {
        assumed.delete(left.key)
      }
    }
    const others = new Set(trying(true).map(textOf))
    const both = others.size === 0 ? [] : trying(false).filter((error) => others.has(textOf(error)))
    return both.length === 0 ? both : [...both, left.error]
  }
  return {
    regExp: Object.assign(regExp, { code: 'new RegExp' }),
    steps: () => steps,
    step() {
      if (++steps > MAX_STEPS) throw new TooLong()
    },
    errorsOf(validate, value, model) {
      steps = 0
      name = model
      return tryOut(validate, value)
    },
  }
}

const NONE: readonly ErrorObject[] = []

// A model whose parts are named in many ways may ask more of a value than it holds.
const MAX_STEPS = 2_000_000

class TooLong extends Error {}

/** A search took too long. */
class Unchecked extends Error {
  readonly key: string
  readonly error: ErrorObject

  constructor(pattern: string, key: string) {
    super(`${pattern} was not checked in time`)
    this.key = key
    const message = `was not checked against the pattern ${shown(pattern)}, which takes too long`
    this.error = { keyword: 'not_checked', instancePath: '', schemaPath: '', params: {}, message }
  }
}

function keyOf(pattern: string, text: string): string {
  return JSON.stringify([pattern, text])
}

function textOf({ keyword, instancePath, message }: ErrorObject): string {
  return JSON.stringify([keyword, instancePath, message])
}
