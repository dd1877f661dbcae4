import type { Awaitable, HttpRequest } from '../message.ts'
import { createGlob, createTextGlob } from '../routing/glob.ts'
import type { ChaosMatch, ChaosRule, FailureAnswer, Range } from '../engine/chaos-rule.ts'
import { createRing, type Ring } from './journal.ts'

/** The chaos of one session: its rules, and what they did. */
export interface Chaos {
  /** In order; the first that matches a request decides. */
  readonly rules: readonly CompiledRule[]
  /** When the rules came into force, by the session's clock. */
  readonly since: number
  readonly log: ChaosLog
  /** Puts other rules in place. @param since when they came into force. Default: now */
  use(rules: readonly CompiledRule[], since?: number): void
}

/** A rule, ready to be matched. */
export interface CompiledRule {
  readonly name: string
  readonly rule: ChaosRule
  readonly matches: MatchRule
}

/** Compiles rules that were checked. */
export function compileRules(rules: readonly ChaosRule[]): readonly CompiledRule[] {
  return rules.map((rule, index) => ({
    name: rule.name ?? `rule ${index + 1}`,
    rule,
    matches: createMatchRule(rule),
  }))
}

/** Chaos by rules, with an empty log. @param onChange called when other rules come into force */
export function createChaos(
  first: readonly CompiledRule[],
  now: () => number,
  onChange: () => void = () => undefined,
  begun = now(),
  log: ChaosLog = createChaosLog(),
): Chaos {
  let [rules, since] = [first, begun]
  return {
    get rules() {
      return rules
    },
    get since() {
      return since
    },
    log,
    use(others, from = now()) {
      ;[rules, since] = [others, from]
      onChange()
    },
  }
}

/** What a rule looks at. */
export interface Occasion {
  readonly call: Pick<HttpRequest, 'method' | 'path' | 'host' | 'headers'> & {
    readonly operations?: readonly string[] | undefined
  }
  /** How many requests of the route came before. */
  readonly ordinal: number
  /** Seconds since the rules came into force. */
  readonly seconds: number
}

/** Whether a rule is for a request. */
export type MatchRule = (occasion: Occasion) => boolean

/** Compiles the conditions of a rule. */
export function createMatchRule({ match = {}, requests = {}, seconds = {} }: ChaosRule): MatchRule {
  const conditions = conditionsOf(match)
  return ({ call, ordinal, seconds: elapsed }) => {
    if (!isWithin(ordinal + 1, requests) || !isWithin(elapsed, seconds)) return false
    for (const holds of conditions) if (!holds(call)) return false
    return true
  }
}

type Condition = (call: Occasion['call']) => boolean

function conditionsOf({ methods, path, host, operation, headers = {} }: ChaosMatch): readonly Condition[] {
  const conditions: Condition[] = Object.entries(headers).map(([name, glob]) => {
    const fits = createTextGlob(glob)
    return (call) => [call.headers[name.toLowerCase()] ?? []].flat().some((value) => fits(value))
  })
  if (methods !== undefined) {
    const upper = new Set(methods.map((method) => method.toUpperCase()))
    conditions.push(({ method }) => upper.has(method))
  }
  if (path !== undefined) {
    const fits = createGlob(path)
    conditions.push((call) => fits(call.path))
  }
  if (operation !== undefined) {
    const fits = createTextGlob(operation)
    conditions.push(({ operations = [] }) => operations.some((name) => fits(name)))
  }
  if (host !== undefined) {
    const fits = createTextGlob(host.toLowerCase())
    conditions.push((call) => {
      const called = call.host.toLowerCase()
      return fits(called) || fits(called.replace(/:\d+$/, ''))
    })
  }
  return conditions
}

function isWithin(number: number, { from = -Infinity, to = Infinity }: Range): boolean {
  return from <= number && number <= to
}

/** What the rules decided for one request. At most one of an error and a fault happens to it. */
export interface ChaosDecision {
  readonly rule: string
  readonly latencyMs: number
  /** How much of it passes while the body is sent. */
  readonly bodyMs?: number | undefined
  /** The error it fails with. */
  readonly status?: number | undefined
  readonly answer?: FailureAnswer | undefined
  /** The number of the override that answered, where one did. */
  readonly override?: number | undefined
  readonly fault?: { readonly kind: string; readonly options: Readonly<Record<string, number>> } | undefined
}

/** What chaos did to one request, by a rule or by an option of its route. */
export interface ChaosEntry {
  readonly route: string
  /** How many requests of the route came before. */
  readonly ordinal: number
  /** The rule's name, or the kind of option. */
  readonly rule: string
  readonly latencyMs?: number
  readonly status?: number
  readonly fault?: string
}

/** A decision in words, such as `latency 120 ms` or `reset`; `undefined` for one that does nothing. */
export function chaosTexts(
  route: string,
  ordinal: number,
  decision: ChaosDecision,
): readonly string[] | undefined {
  const decided = entryOf(route, ordinal, decision)
  return (
    decided && [
      ...(decided.latencyMs === undefined ? [] : [`latency ${Math.round(decided.latencyMs)} ms`]),
      ...(decided.status === undefined ? [] : [`status ${decided.status}`]),
      ...(decided.fault === undefined ? [] : [decided.fault]),
    ]
  )
}

/** The latest of what was done. */
export interface ChaosLog extends Omit<Ring<ChaosEntry>, 'clear' | 'oldestOfFull'> {
  clear(): Awaitable<void>
}

const MAX_ENTRIES = 20_000

/** An empty log. It keeps the latest twenty thousand entries. */
export function createChaosLog(): ChaosLog {
  return createRing(MAX_ENTRIES)
}

/** A decision as the log keeps it; `undefined` for one that does nothing. */
export function entryOf(route: string, ordinal: number, decision: ChaosDecision): ChaosEntry | undefined {
  const { rule, latencyMs, status, fault } = decision
  if (latencyMs === 0 && status === undefined && fault === undefined) return undefined
  return {
    route,
    ordinal,
    rule,
    ...(latencyMs > 0 && { latencyMs }),
    ...(status !== undefined && { status }),
    ...(fault !== undefined && { fault: fault.kind }),
  }
}
