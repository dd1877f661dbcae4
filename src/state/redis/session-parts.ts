import type { Seed } from '../../engine/random.ts'
import type { ChaosRule } from '../../engine/chaos-rule.ts'
import { compileRules } from '../chaos.ts'
import type { ClockSettings, RunningClock } from '../clock.ts'
import type { OverrideSettings } from '../overrides.ts'
import type { Session } from '../session.ts'

/** What is read of a session on every request, and so is known to every gateway. */
export interface SharedSession extends Session {
  readonly clock: RunningClock
}

interface Part {
  export(session: SharedSession): unknown
  import(session: SharedSession, value: unknown): void
}

/** By name; in this order they are put in force. */
const PARTS: Readonly<Record<string, Part>> = {
  resets: {
    export: ({ resets }) => resets,
    import: (session, value) => session.wasReset(Number(value)),
  },
  seed: {
    export: ({ seed }) => seed,
    import(session, value) {
      session.seed = value as Seed
    },
  },
  clock: {
    export: ({ clock }) => clock.settings,
    import: ({ clock }, value) => clock.set(value as ClockSettings),
  },
  chaos: {
    export: ({ chaos: { rules, since } }) => ({
      since,
      rules: rules.map(({ name, rule }) => ({ ...rule, name })),
    }),
    import({ chaos }, value) {
      const { rules, since } = value as { readonly rules: readonly ChaosRule[]; readonly since: number }
      chaos.use(compileRules(rules), since)
    },
  },
  overrides: {
    export: ({ overrides }) => overrides.settings,
    import: ({ overrides }, value) => overrides.set(value as OverrideSettings),
  },
}

/** The parts of a session as JSON, by name. */
export function exportParts(session: SharedSession): ReadonlyMap<string, string> {
  return new Map(Object.entries(PARTS).map(([name, part]) => [name, JSON.stringify(part.export(session))]))
}

/** Puts parts in force that are other than those of the session. @returns whether there were any */
export function importParts(session: SharedSession, given: Readonly<Record<string, string>>): boolean {
  let isOther = false
  for (const [name, part] of Object.entries(PARTS)) {
    const text = given[name]
    if (text === undefined || text === JSON.stringify(part.export(session))) continue
    part.import(session, JSON.parse(text))
    isOther = true
  }
  return isOther
}
