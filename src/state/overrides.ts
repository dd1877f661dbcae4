import type { WrittenBody } from '../engine/known-answer.ts'
import { after, type Awaitable } from '../message.ts'
import type { Counters } from './counters.ts'

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
  /** Counts an answer; it ends with its last. Says whether there was still one. */
  use(id: number): Awaitable<boolean>
  clear(): void
  /** What they are, but for what was used, and the number of the latest. */
  readonly settings: OverrideSettings
  /** Replaces all of them; those that were there before go on. */
  set(settings: OverrideSettings): void
  /** Learns how many each has answered, where others count as well. */
  refresh(): Awaitable<void>
}

/** Overrides as data. */
export interface OverrideSettings {
  readonly last: number
  readonly rules: readonly (OverrideRule & { readonly id: number })[]
}

/**
 * No overrides.
 * @param onChange called when there are others
 * @param counts counts the answers of each, where others do so as well
 */
export function createOverrides(
  onChange: () => void,
  counts?: Pick<Counters, 'next' | 'note' | 'count'>,
): Overrides {
  let all: readonly Override[] = []
  let last = 0
  const set = (others: readonly Override[]): void => {
    all = others
    onChange()
  }
  // While it was counted, it may have been removed here by whoever was its last.
  const usedBy = ({ id, times = Infinity }: Override, used: number): boolean => {
    all = all.map((each) => (each.id === id ? { ...each, used: Math.min(used, times) } : each))
    if (used >= times) overrides.remove(id)
    return used <= times
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
      const found = all.find((each) => each.id === id)
      if (found === undefined) return false
      if (counts === undefined) return usedBy(found, found.used + 1)
      if (found.times !== undefined)
        return after(counts.next(keyOf(id)), (before) => usedBy(found, before + 1))
      counts.note(keyOf(id))
      return true
    },
    clear() {
      if (all.length > 0) set([])
    },
    get settings() {
      return { last, rules: all.map(({ used: _used, ...rule }) => rule) }
    },
    set(settings) {
      last = settings.last
      set(settings.rules.map((rule) => ({ ...rule, used: all.find(({ id }) => id === rule.id)?.used ?? 0 })))
    },
    async refresh() {
      if (counts === undefined) return
      const used = await Promise.all(
        all.map(async (each) => [each, await counts.count(keyOf(each.id))] as const),
      )
      for (const [each, count] of used) usedBy(each, count)
    },
  }
  return overrides
}

function keyOf(id: number): string {
  return `override ${id}`
}
