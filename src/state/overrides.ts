import type { WrittenBody } from '../engine/known-answer.ts'

/** What is answered in place of what would be. */
export interface OverrideRule extends WrittenBody {
  /** The declared route that it is for, by its key such as `GET /users/{id}`; or any request that fits the rest. */
  readonly route?: string | undefined
  readonly method?: string | undefined
  /** A glob over the path. */
  readonly path?: string | undefined
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly latencyMs?: number | undefined
  /** For how many requests. Default: until it is removed. */
  readonly times?: number | undefined
}

/** A rule in force. */
export interface Override extends OverrideRule {
  readonly id: number
  /** How many requests it has answered. */
  readonly used: number
}

/** The overrides of one session. */
export interface Overrides {
  /** In order; the first that is for a request answers it. */
  readonly all: readonly Override[]
  add(rule: OverrideRule): Override
  remove(id: number): boolean
  /** Counts an answer; it ends with its last. */
  use(id: number): void
  clear(): void
}

/** No overrides. @param onChange called when there are others */
export function createOverrides(onChange: () => void): Overrides {
  let all: readonly Override[] = []
  let last = 0
  const set = (others: readonly Override[]): void => {
    all = others
    onChange()
  }
  const overrides: Overrides = {
    get all() {
      return all
    },
    add(rule) {
      const added = { ...rule, id: ++last, used: 0 }
      set([...all, added])
      return added
    },
    remove(id) {
      const left = all.filter((each) => each.id !== id)
      if (left.length === all.length) return false
      set(left)
      return true
    },
    use(id) {
      all = all.map((each) => (each.id === id ? { ...each, used: each.used + 1 } : each))
      const used = all.find((each) => each.id === id)
      if (used?.times !== undefined && used.used >= used.times) overrides.remove(id)
    },
    clear() {
      if (all.length > 0) set([])
    },
  }
  return overrides
}
