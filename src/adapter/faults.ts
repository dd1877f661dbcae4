import { chaosDraws, type Seed } from '../engine/random.ts'
import { createChecker } from '../engine/schema/checker.ts'
import { OptionInvalid } from '../errors.ts'
import { createTextGlob } from '../routing/glob.ts'
import type { Clock } from '../state/clock.ts'
import { fail, type InjectedFailure } from './failure.ts'

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

  return {
    get rules() {
      return counted.map(({ rule }) => rule)
    },
    add(...rules) {
      counted = [...counted, ...rules.map(count)]
    },
    set(rules) {
      counted = rules.map(count)
    },
    clear() {
      counted = []
    },
    reset() {
      counted = first.map(count)
    },
    decide(operation, when) {
      let waitMs = 0
      for (const [index, each] of counted.entries()) {
        if ((each.rule.when ?? 'before') !== when || !applies(each, operation, seed, index)) continue
        waitMs += waitOf(each, operation, seed)
        const failure = failureOf(each.rule)
        if (failure !== undefined) return { waitMs, failure }
      }
      return { waitMs, failure: undefined }
    },
  }
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
  return {
    rule,
    fits: operation === undefined ? () => true : createTextGlob(operation),
    seen: 0,
    applied: 0,
  }
}

function applies(each: Counted, operation: string, seed: Seed, index: number): boolean {
  const { skip = 0, times = Infinity, rate = 1 } = each.rule
  if (!each.fits(operation)) return false
  const ordinal = each.seen++
  if (ordinal < skip || each.applied >= times) return false
  if (rate < 1 && chaosDraws(seed, 'fault', String(index), ordinal)() >= rate) return false
  each.applied++
  return true
}

function waitOf({ rule, seen }: Counted, operation: string, seed: Seed): number {
  const { latencyMs = 0, jitterMs = 0 } = rule
  return latencyMs + (jitterMs === 0 ? 0 : jitterMs * chaosDraws(seed, 'wait', operation, seen)())
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

/**
 * Applies the faults of a point to a request of an operation: it waits, then fails if it is to.
 * Rejects when nobody waits for the answer any more.
 */
export async function injectFault(
  { faults, clock, turns }: FaultyPlace,
  operation: string,
  when: 'before' | 'after',
  signal: AbortSignal | undefined,
): Promise<void> {
  const { waitMs, failure } = faults.decide(operation, when)
  const wait = waitMs > 0 ? clock.sleep(waitMs, signal) : undefined
  await (when === 'before' ? inTurn(turns, operation, wait) : wait)
  if (failure !== undefined) fail(failure)
}

/** Where faults happen. */
interface FaultyPlace {
  readonly faults: OwnedFaults
  readonly clock: Pick<Clock, 'sleep'>
  readonly turns: Map<string, Promise<unknown>>
}

// Whatever each of them waits, requests of one operation reach their handler in the order they came.
async function inTurn(
  turns: Map<string, Promise<unknown>>,
  operation: string,
  wait: Promise<void> | undefined,
): Promise<void> {
  const last = turns.get(operation)
  if (last === undefined && wait === undefined) return
  const turn = Promise.allSettled([last, wait])
  turns.set(operation, turn)
  await turn
  if (turns.get(operation) === turn) turns.delete(operation)
  await wait
}
