import type { Counters } from '../counters.ts'
import { countMany, countNext } from './count-scripts.ts'
import type { LoadContext } from './session-context.ts'

const FLUSH_MS = 1000
const MAX_OWN = 100_000

/** Counters that gateways share. */
export interface SharedCounters extends Counters {
  next(key: string): Promise<number>
  count(key: string): Promise<number>
  reset(): Promise<void>
  /** Adds what was only counted here. */
  flush(): Promise<void>
  /** Forgets what was only counted here. */
  drop(): void
}

/**
 * Counters on the server. Counts that nothing depends on are added up here, and passed on every second.
 * @param name what the names of its keys end in
 */
export function createSharedCounters(
  { ask, keys, gateway, seen }: LoadContext,
  name: string,
): SharedCounters {
  const scriptKeys = [keys.session, `${keys.prefix}n${name}`, `${keys.prefix}n${name}2`] as const
  const noted = new Map<string, number>()
  const own = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const send = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (noted.size === 0) return
    const counts = [...noted]
    noted.clear()
    try {
      const [w, made] = (await ask.run(countMany, scriptKeys, [gateway, ...counts.flat()])) as [
        number,
        number,
      ]
      seen(w, made)
    } catch (error) {
      // What was not counted is counted when that is possible again; what may have been counted is not.
      if ((error as { code?: string }).code !== 'SIM_STATE_UNCERTAIN')
        for (const [key, count] of counts) noted.set(key, (noted.get(key) ?? 0) + count)
      throw error
    }
  }
  const later = (): void => {
    timer = setTimeout(() => {
      send().catch(() => {
        if (noted.size > 0) later()
      })
    }, FLUSH_MS)
    timer.unref()
  }
  return {
    async next(key) {
      if (noted.has(key)) await send()
      const [count, w, made] = (await ask.run(countNext, scriptKeys, [gateway, key])) as [
        number,
        number,
        number,
      ]
      seen(w, made)
      return count
    },
    note(key) {
      const before = own.get(key) ?? 0
      if (own.size >= MAX_OWN) own.clear()
      own.set(key, before + 1)
      noted.set(key, (noted.get(key) ?? 0) + 1)
      if (timer === undefined) later()
      return before
    },
    async count(key) {
      if (noted.size > 0) await send()
      const [now, older] = await Promise.all([
        ask.command(['HGET', scriptKeys[1], key], true),
        ask.command(['HGET', scriptKeys[2], key], true),
      ])
      return Number(now ?? older ?? 0)
    },
    async reset() {
      this.drop()
      await ask.command(['UNLINK', scriptKeys[1], scriptKeys[2]])
    },
    flush: send,
    drop() {
      clearTimeout(timer)
      timer = undefined
      noted.clear()
      own.clear()
    },
  }
}
