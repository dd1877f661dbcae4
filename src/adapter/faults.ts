import { chaosDraws, type Seed } from '../engine/random.ts'
import { createChecker } from '../engine/schema/checker.ts'
import { OptionInvalid } from '../errors.ts'
import { createTextGlob } from '../routing/glob.ts'
import type { InjectedFailure } from './failure.ts'

/** What happens to requests: a failure, a wait, or both. */
export interface FaultRule {
  /** An operation's id, or a glob of ids. Default: all. */
  readonly operation?: string
  /** The status of the failure; without one the rule only waits. */
  readonly status?: number
  /** The vendor's error code of the failure, where the adapter knows one. */
  readonly code?: string
  readonly retryAfterSeconds?: number
  readonly latencyMs?: number
  /** The wait is longer by up to this, drawn by the seed. */
  readonly jitterMs?: number
  /** The share of requests it applies to. Default: 1. */
  readonly rate?: number
  /** How many requests pass before the rule begins. */
  readonly skip?: number
  /** How many requests it applies to before it ends. */
  readonly times?: number
  /** Whether it applies before the operation of a request changed the state, or after. Default: `before`. */
  readonly when?: 'before' | 'after'
}

/** What happens to one request at one point. */
export interface Fault {
  readonly waitMs: number
  readonly failure: InjectedFailure | undefined
}

/** The faults of an adapter. They can be changed while it runs. */
export interface Faults {
  readonly rules: readonly FaultRule[]
  /** @throws OptionInvalid for a rule that cannot be; then none was added */
  add(...rules: readonly FaultRule[]): void
  /** Replaces all rules; counting starts over. @throws OptionInvalid for a rule that cannot be */
  set(rules: readonly FaultRule[]): void
  clear(): void
}

/** Faults as their adapter holds them. */
export interface OwnedFaults extends Faults {
  /** What happens to a request of an operation at a point. Rules are tried in order, up to one that fails it. */
  decide(operation: string, when: 'before' | 'after'): Fault
  /** Goes back to the rules of the beginning. */
  reset(): void
  /** The rules, and how often each was looked at and applied. */
  counts(): readonly FaultCount[]
  setCounts(counts: readonly FaultCount[]): void
}

/** A rule, and how often it was looked at and applied. */
export interface FaultCount {
  readonly rule: FaultRule
  readonly seen: number
  readonly applied: number
}

interface Counted {
  readonly rule: FaultRule
  readonly fits: (operation: string) => boolean
  seen: number
  applied: number
}

/** Faults that begin with some rules. @throws OptionInvalid for a rule that cannot be */
export function createFaults(seed: Seed, first: readonly FaultRule[] = []): OwnedFaults {
  let counted = first.map(count)
  const applies = (each: Counted, operation: string, when: 'before' | 'after', index: number): boolean => {
    const { skip = 0, times = Infinity, rate = 1 } = each.rule
    if ((each.rule.when ?? 'before') !== when || !each.fits(operation)) return false
    const ordinal = each.seen++
    if (ordinal < skip || each.applied >= times) return false
    if (rate < 1 && chaosDraws(seed, 'fault', String(index), ordinal)() >= rate) return false
    each.applied++
    return true
  }
  const waitOf = ({ rule: { latencyMs = 0, jitterMs = 0 }, seen }: Counted, operation: string): number =>
    latencyMs + (jitterMs === 0 ? 0 : jitterMs * chaosDraws(seed, 'wait', operation, seen)())

  const faults: OwnedFaults = {
    get rules() {
      return counted.map(({ rule }) => rule)
    },
    add(...rules) {
      counted = [...counted, ...rules.map(count)]
    },
    set(rules) {
      counted = rules.map(count)
    },
    clear: () => faults.set([]),
    reset: () => faults.set(first),
    counts: () => counted.map(({ rule, seen, applied }) => ({ rule, seen, applied })),
    setCounts(counts) {
      counted = counts.map(({ rule, seen, applied }) => ({ ...count(rule), seen, applied }))
    },
    decide(operation, when) {
      let waitMs = 0
      for (const [index, each] of counted.entries()) {
        if (!applies(each, operation, when, index)) continue
        waitMs += waitOf(each, operation)
        const failure = failureOf(each.rule)
        if (failure !== undefined) return { waitMs, failure }
      }
      return { waitMs, failure: undefined }
    },
  }
  return faults
}

const whole = { type: 'integer', minimum: 0 }
const RULE = createChecker({
  type: 'object',
  additionalProperties: false,
  properties: {
    operation: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: { type: 'string' },
    retryAfterSeconds: { type: 'number', minimum: 0 },
    latencyMs: { type: 'number', minimum: 0, maximum: 600_000 },
    jitterMs: { type: 'number', minimum: 0, maximum: 600_000 },
    rate: { type: 'number', minimum: 0, maximum: 1 },
    skip: whole,
    times: whole,
    when: { enum: ['before', 'after'] },
  },
})

function count(rule: FaultRule): Counted {
  const [broken] = RULE.check(rule)
  if (broken !== undefined)
    throw new OptionInvalid(
      `A fault rule cannot be ${JSON.stringify(rule)}: ${[...broken.path, broken.message].join(': ')}`,
    )
  const { operation } = rule
  const fits = operation === undefined ? () => true : createTextGlob(operation)
  return { rule, fits, seen: 0, applied: 0 }
}

function failureOf({ status, code, retryAfterSeconds }: FaultRule): InjectedFailure | undefined {
  if (status === undefined) return undefined
  return {
    kind: 'injected',
    status,
    ...(code !== undefined && { code }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
