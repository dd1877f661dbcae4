import { chaosDraws, type Seed } from '../../src/engine/random.ts'
import type { Exchange } from '../../src/pipeline/exchange.ts'
import type { ChaosDecision } from '../../src/state/chaos-log.ts'
import type { ChaosRule, ErrorShape, RateLimitShape } from '../../src/state/chaos-rule.ts'
import type { CompiledRule } from '../../src/state/chaos-rules.ts'
import type { Occasion } from '../../src/state/match-rule.ts'
import type { Session } from '../../src/state/session.ts'
import { FAULTS } from '../faults/index.ts'
import { drawLatency } from './latency-distribution.ts'

/** What a decision depends on, and nothing else. */
export interface Chance extends Occasion {
  readonly seed: Seed
  readonly rules: readonly CompiledRule[]
  /** Names the route. */
  readonly key: string
}

const DEFAULTS = new Map(
  FAULTS.map(({ name, options = {} }) => [
    name,
    Object.fromEntries(Object.entries(options).map(([option, { default: value }]) => [option, value])),
  ]),
)

/** Decides what happens to a request that counts. */
export function decide(exchange: Exchange, session: Session, ordinal: number): ChaosDecision | undefined {
  return decideBy(chanceOf(exchange, session, ordinal))
}

/** The rule of limits that a request will be under, before it is known whether it counts. */
export function limitOf(
  exchange: Exchange,
  session: Session,
): (RateLimitShape & { readonly rule: string }) | undefined {
  const found = ruleOf(chanceOf(exchange, session, session.requestCounts.count(exchange.key)))
  return found?.rule.rateLimit === undefined ? undefined : { ...found.rule.rateLimit, rule: found.name }
}

/** A pure function of the seed, the rule, the route and how many requests of it came before. */
export function decideBy(chance: Chance): ChaosDecision | undefined {
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
  for (const rule of chance.rules) if (rule.matches(chance)) return rule
  return undefined
}

function chanceOf(exchange: Exchange, { seed, chaos, clock }: Session, ordinal: number): Chance {
  const seconds = (clock.now() - chaos.since) / 1000
  return { seed, rules: chaos.rules, key: exchange.key, ordinal, call: exchange, seconds }
}

// One draw for all of them, so that each comes as often as its own rate says.
function drawFailure({ errors, faults = {} }: ChaosRule, draw: () => number): Partial<ChaosDecision> {
  let [left, choice] = [draw(), draw()]
  if (errors !== undefined) {
    if (left < errors.rate) return { status: statusOf(errors, choice) }
    left -= errors.rate
  }
  for (const [kind, shape] of Object.entries(faults)) {
    const { rate, ...options } = typeof shape === 'number' ? { rate: shape } : shape
    if (left < rate) return { fault: { kind, options: { ...DEFAULTS.get(kind), ...options } } }
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
