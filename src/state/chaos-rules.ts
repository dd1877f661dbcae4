import { createChaosLog, type ChaosLog } from './chaos-log.ts'
import type { ChaosRule } from './chaos-rule.ts'
import { createMatchRule, type MatchRule } from './match-rule.ts'

/** The chaos of one session: its rules, and what they did. */
export interface Chaos {
  /** In order; the first that matches a request decides. */
  readonly rules: readonly CompiledRule[]
  /** When the rules came into force, by the session's clock. */
  readonly since: number
  readonly log: ChaosLog
  /** Puts other rules in place, which come into force now. */
  use(rules: readonly CompiledRule[]): void
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
): Chaos {
  let [rules, since] = [first, now()]
  return {
    get rules() {
      return rules
    },
    get since() {
      return since
    },
    log: createChaosLog(),
    use(others) {
      ;[rules, since] = [others, now()]
      onChange()
    },
  }
}
