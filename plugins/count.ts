import { remembered } from '../src/engine/lazy.ts'
import { isObject } from '../src/engine/schema/schema.ts'
import { chaosDraws, type Seed } from '../src/engine/random.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Form } from '../src/pipeline/option.ts'
import { after, type Awaitable } from '../src/message.ts'
import type { Plugin, Policies } from '../src/pipeline/route.ts'
import type { ChaosRule, ErrorShape, LatencyShape, RateLimitShape, Spread } from '../src/engine/chaos-rule.ts'
import {
  compileRules,
  entryOf,
  type ChaosDecision,
  type CompiledRule,
  type Occasion,
} from '../src/state/chaos.ts'
import type { Session } from '../src/state/session.ts'
import { evenDraws } from './chaos/even-draws.ts'
import { ROUTE_CHAOS_SCHEMA } from './chaos/chaos-schema.ts'
import { findRouteChaosProblems, toData } from './chaos/read-rules.ts'
import { FAULTS } from './faults/index.ts'

const ROUTE_CHAOS: Form = {
  schema: ROUTE_CHAOS_SCHEMA,
  check(value) {
    if (!isObject(value)) return 'a rule of chaos for one route'
    const [problem] = findRouteChaosProblems(toData(value))
    return problem && `a rule of chaos for one route (${[...problem.path, problem.message].join(': ')})`
  },
}

/**
 * Counts a request that was admitted and whose input fits, and decides by the session's rules what happens to it. One
 * draw for latency, errors and faults together, so that each comes as often as its own rate says.
 */
export const count: Plugin = {
  name: 'count',
  options: {
    chaos: {
      ...ROUTE_CHAOS,
      see: 'chaos.md#of-one-route',
      describe:
        'Waits, errors and broken connections of the route, where no rule of the gateway is for a request.',
      group: 'Chaos',
    },
  },
  plan({ policies }, session) {
    const { requestCounts, chaos, seed } = session
    const own = policies.chaos === undefined ? [] : compileRules([{ name: 'route', ...policies.chaos }])
    const rules = own.length === 0 ? chaos.rules : [...chaos.rules, ...own]
    if (rules.length === 0 && !isDrawn(policies))
      return (exchange) => {
        exchange.ordinal = requestCounts.note(exchange.key)
      }
    const decide = (exchange: Exchange, ordinal: number): void => {
      exchange.ordinal = ordinal
      if (rules.length === 0) return
      const decision = decideBy(chanceOf(exchange, session, ordinal, seed, rules))
      exchange.chaos = decision
      const entry = decision && entryOf(exchange.key, ordinal, decision)
      if (entry !== undefined) chaos.log.add(entry)
    }
    return (exchange) => {
      const ordinal = requestCounts.next(exchange.key)
      return ordinal instanceof Promise
        ? ordinal.then((known) => decide(exchange, known))
        : decide(exchange, ordinal)
    }
  },
}

// What options draw by how many came before.
function isDrawn({ errorRate = 0, jitterMs = 0 }: Policies): boolean {
  return errorRate > 0 || jitterMs > 0
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
): Awaitable<(RateLimitShape & { readonly rule: string }) | undefined> {
  return after(session.requestCounts.count(exchange.key), (ordinal) => {
    const { seed, chaos } = session
    const found = ruleOf(chanceOf(exchange, session, ordinal, seed, chaos.rules))
    return found?.rule.rateLimit === undefined ? undefined : { ...found.rule.rateLimit, rule: found.name }
  })
}

/** A pure function of the seed, the rule, the route and how many requests of it came before. */
export function decideBy(chance: Chance): ChaosDecision | undefined {
  const found = ruleOf(chance)
  if (found === undefined) return undefined
  const { name, rule } = found
  const drawsOf = rule.even === true ? evenDraws : chaosDraws
  const draw = drawsOf(chance.seed, `chaos by ${name}`, chance.key, chance.ordinal)
  // Failures are drawn first, so that a change of the latency does not change who fails.
  const failure = drawFailure(rule, draw)
  const own = failure.status === undefined ? undefined : rule.errors?.latency
  const shape = own ?? rule.latency ?? 0
  const latencyMs = toMicroseconds(drawLatency(shape, draw))
  const body = typeof shape === 'number' ? undefined : shape.body
  const decision: { -readonly [Name in keyof ChaosDecision]: ChaosDecision[Name] } = { rule: name, latencyMs }
  // Spread, they would take longer than to decide.
  if (failure.status !== undefined) decision.status = failure.status
  if (failure.answer !== undefined) decision.answer = failure.answer
  if (failure.fault !== undefined) decision.fault = failure.fault
  if (body !== undefined) decision.bodyMs = toMicroseconds(latencyMs * body)
  return decision
}

// They read better, and no timer is finer.
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

function ruleOf(chance: Chance): CompiledRule | undefined {
  for (const rule of chance.rules) if (rule.matches(chance)) return rule
  return undefined
}

function chanceOf(
  exchange: Exchange,
  { chaos, clock }: Session,
  ordinal: number,
  seed: Seed,
  rules: readonly CompiledRule[],
): Chance {
  const seconds = (clock.now() - chaos.since) / 1000
  return { seed, rules, key: exchange.key, ordinal, call: exchange, seconds }
}

// One draw for all of them, so that each comes as often as its own rate says.
function drawFailure({ errors, faults = {} }: ChaosRule, draw: () => number): Partial<ChaosDecision> {
  let [left, choice] = [draw(), draw()]
  if (errors !== undefined) {
    if (left < errors.rate) {
      const status = statusOf(errors, choice)
      return { status, answer: errors.answers?.[status] }
    }
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
  const points = pointsOf(percentiles)
  const after = points.findIndex(({ percent }) => percent >= wanted)
  const [before, next] = [points[after - 1], points[after] ?? points.at(-1)]
  if (before === undefined || next === undefined || after === -1) return next?.ms ?? 0
  const share = (wanted - before.percent) / (next.percent - before.percent)
  return before.ms + share * (next.ms - before.ms)
}

const pointsOf = remembered(
  (percentiles: Readonly<Record<string, number>>) =>
    Object.entries(percentiles)
      .map(([percent, ms]) => ({ percent: Number(percent), ms }))
      .toSorted((a, b) => a.percent - b.percent),
  new WeakMap(),
)

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408

// Box and Muller's transform; 1 - draw is never 0.
function standardNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
}
