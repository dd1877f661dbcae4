import { chaosDraws, type Seed } from '../../src/engine/random.ts'
import type { Visit } from '../../src/gateway/visit.ts'
import type { CompiledRule } from './chaos.ts'
import { entryOf, type ChaosDecision } from './decision.ts'
import { drawLatency } from './latency-distribution.ts'
import type { Occasion } from './match-rule.ts'
import type { ChaosRule, ErrorShape, FaultKind, RateLimitShape } from '../../src/state/chaos-rule.ts'

/** What a decision depends on, and nothing else. */
export interface Chance extends Occasion {
  readonly seed: Seed
  readonly rules: readonly CompiledRule[]
  /** Names the route. */
  readonly key: string
}

const BYTES_PER_SECOND = 1000

/** Decides what befalls a request that counts, and notes it in its session's log. */
export function meetChaos(visit: Visit): void {
  if (visit.session.chaos.rules.length === 0) return
  visit.chaos = decide(chanceOf(visit, visit.ordinal))
  const entry = visit.chaos && entryOf(visit.key, visit.ordinal, visit.chaos)
  if (entry !== undefined) visit.session.chaos.log.add(entry)
}

/** The rule that a request will be under, before it is known whether it counts. */
export function limitOf(visit: Visit): (RateLimitShape & { readonly rule: string }) | undefined {
  const found = ruleOf(chanceOf(visit, visit.session.arrivals.count(visit.key)))
  return found?.rule.rateLimit === undefined ? undefined : { ...found.rule.rateLimit, rule: found.name }
}

/** A pure function of the seed, the rule, the route and how many requests of it came before. */
export function decide(chance: Chance): ChaosDecision | undefined {
  const found = ruleOf(chance)
  if (found === undefined) return undefined
  const { name, rule } = found
  const draw = chaosDraws(chance.seed, `chaos by ${name}`, chance.key, chance.ordinal)
  // Failures are drawn first, so that a change of the latency does not change who fails.
  const failure = drawFailure(rule, draw)
  // Whole microseconds read better, and no timer is finer.
  const latencyMs = Math.round(drawLatency(rule.latency ?? 0, draw) * 1000) / 1000
  return { rule: name, latencyMs, ...failure }
}

function ruleOf(chance: Chance): CompiledRule | undefined {
  return chance.rules.find(({ matches }) => matches(chance))
}

function chanceOf({ call, key, session }: Visit, ordinal: number): Chance {
  const { seed, chaos, clock } = session
  return { seed, rules: chaos.rules, key, ordinal, call, seconds: (clock.now() - chaos.since) / 1000 }
}

// One draw for all of them, so that each comes as often as its own rate says.
function drawFailure({ errors, faults = {} }: ChaosRule, draw: () => number): Partial<ChaosDecision> {
  let [left, choice] = [draw(), draw()]
  if (errors !== undefined) {
    if (left < errors.rate) return { status: statusOf(errors, choice) }
    left -= errors.rate
  }
  for (const [kind, shape] of Object.entries(faults)) {
    const { rate, bytesPerSecond = BYTES_PER_SECOND } = typeof shape === 'number' ? { rate: shape } : shape
    if (left < rate) return { fault: { kind: kind as FaultKind, bytesPerSecond } }
    left -= rate
  }
  return {}
}

function statusOf({ codes = [500] }: ErrorShape, choice: number): number {
  const weights: readonly (readonly [number, number])[] = Array.isArray(codes)
    ? codes.map((code: number) => [code, 1])
    : Object.entries(codes).map(([code, weight]: [string, number]) => [Number(code), weight])
  let left = choice * weights.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [code, weight] of weights) {
    if (left < weight) return code
    left -= weight
  }
  return weights.at(-1)?.[0] ?? 500
}
