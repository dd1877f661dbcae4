import { createFaultLog, type FaultLog } from './fault-log.ts'
import { createMatchRule, type MatchRule } from './match-rule.ts'
import type { ChaosRule } from '../../src/state/chaos-rule.ts'

/** The chaos of one session: what may befall its requests, and what did. */
export interface Chaos {
  /** In the order in which they are asked. */
  readonly rules: readonly CompiledRule[]
  /** When the rules came into force, by the session's clock. */
  readonly since: number
  readonly log: FaultLog
  /** Puts other rules in place, which come into force now. */
  use(rules: readonly CompiledRule[]): void
}

/** A rule, ready to be asked. */
export interface CompiledRule {
  readonly name: string
  readonly rule: ChaosRule
  readonly matches: MatchRule
}

/** Rules that were checked, ready to be asked. */
export function compileRules(rules: readonly ChaosRule[]): readonly CompiledRule[] {
  return rules.map((rule, index) => ({
    name: rule.name ?? `rule ${index + 1}`,
    rule,
    matches: createMatchRule(rule),
  }))
}

/** Chaos by rules, with an empty log. */
export function createChaos(first: readonly CompiledRule[], now: () => number): Chaos {
  let [rules, since] = [first, now()]
  return {
    get rules() {
      return rules
    },
    get since() {
      return since
    },
    log: createFaultLog(),
    use(others) {
      ;[rules, since] = [others, now()]
    },
  }
}
