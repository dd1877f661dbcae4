import { chaosDraws, type Seed } from '../src/engine/random.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import type { ChaosRule, ErrorShape, LatencyShape, RateLimitShape, Spread } from '../src/state/chaos-rule.ts'
import { entryOf, type ChaosDecision, type CompiledRule, type Occasion } from '../src/state/chaos.ts'
import type { Session } from '../src/state/session.ts'
import { FAULTS } from './faults/index.ts'

/**
 * Counts a request that was admitted and whose input fits, and decides by the session's rules what happens to it. One
 * draw for latency, errors and faults together, so that each comes as often as its own rate says.
 */
export const count: Plugin = {
  name: 'count',
  plan(_route, session) {
    const { requestCounts, chaos, seed } = session
    if (chaos.rules.length === 0)
      return (exchange) => {
        exchange.ordinal = requestCounts.next(exchange.key)
      }
    return (exchange) => {
      const ordinal = requestCounts.next(exchange.key)
      const decision = decideBy(chanceOf(exchange, session, ordinal, seed))
      exchange.ordinal = ordinal
      exchange.chaos = decision
      const entry = decision && entryOf(exchange.key, ordinal, decision)
      if (entry !== undefined) chaos.log.add(entry)
    }
  },
}

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

/** The rule of limits that a request will be under, before it is known whether it counts. */
export function limitOf(
  exchange: Exchange,
  session: Session,
): (RateLimitShape & { readonly rule: string }) | undefined {
  const found = ruleOf(chanceOf(exchange, session, session.requestCounts.count(exchange.key), session.seed))
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

function chanceOf(exchange: Exchange, { chaos, clock }: Session, ordinal: number, seed: Seed): Chance {
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

/** Milliseconds of a latency, for draws in [0, 1); never below 0. */
export function drawLatency(shape: LatencyShape, draw: () => number): number {
  if (typeof shape === 'number') return shape
  const isHeld = shape.rate === undefined || draw() < shape.rate
  return isHeld ? Math.max(0, DRAWS[shape.distribution](shape as never, draw)) : 0
}

const DRAWS: {
  readonly [Name in Spread['distribution']]: (
    spread: Extract<Spread, { readonly distribution: Name }>,
    draw: () => number,
  ) => number
} = {
  fixed: ({ ms }) => ms,
  uniform: ({ min, max }, draw) => min + draw() * (max - min),
  normal: ({ mean, sd }, draw) => mean + sd * standardNormal(draw),
  percentiles: ({ percentiles }, draw) => percentileAt(percentiles, draw() * 100),
  lognormal: ({ p50, p99 }, draw) => p50 * Math.exp((Math.log(p99 / p50) / Z99) * standardNormal(draw)),
}

// Below the first that is known it is that one, above the last the last.
function percentileAt(percentiles: Readonly<Record<string, number>>, wanted: number): number {
  const points = Object.entries(percentiles).map(([percent, ms]) => ({ percent: Number(percent), ms }))
  points.sort((a, b) => a.percent - b.percent)
  const after = points.findIndex(({ percent }) => percent >= wanted)
  const [before, next] = [points[after - 1], points[after] ?? points.at(-1)]
  if (before === undefined || next === undefined || after === -1) return next?.ms ?? 0
  const share = (wanted - before.percent) / (next.percent - before.percent)
  return before.ms + share * (next.ms - before.ms)
}

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408

// Box and Muller's transform; 1 - draw is never 0.
function standardNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
}
