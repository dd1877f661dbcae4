import type { Recent } from '../counters.ts'
import { createReplays, type Replays } from '../replays.ts'
import { WROTE } from './item-scripts.ts'
import type { LoadContext } from './load.ts'
import { layRecent, layTurns, type ReplayDelta } from './replay-layer.ts'
import { defineScript } from './scripts.ts'
import type { Turns } from './turns.ts'

/** What a session was given of a recording, by all gateways. */
export interface SharedReplays {
  run<Result>(work: (replays: Replays) => Promise<Result>): Promise<Result>
  /** Forgets what is known of it here. */
  drop(): void
}

/** Adds what work has changed, if nothing came since: `[added, w, own]`. KEYS: session, log. ARGV: gateway, length, entry. */
const addReplay = defineScript(
  'addReplay',
  [],
  `${WROTE}
local epoch = redis.call('HGET', KEYS[1], 'epoch') or '0'
if epoch ~= ARGV[2] or redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[3]) then return {0, 0, 0} end
redis.call('RPUSH', KEYS[2], ARGV[4])
local w, own = wrote(1)
return {1, w, own}`,
)

/** What came since: `[epoch, …]`. KEYS: session, log. ARGV: the epoch that is known, the length. */
const readReplays = defineScript(
  'readReplays',
  ['no-writes'],
  `local epoch = redis.call('HGET', KEYS[1], 'epoch') or '0'
return {epoch, redis.call('LRANGE', KEYS[2], epoch == ARGV[1] and ARGV[2] or 0, -1)}`,
)

/**
 * A log of what was given, which each gateway follows: work runs on what is known of it, and what it changes is added
 * if nothing else was meanwhile. A gateway runs one piece of work of a session at a time.
 */
export function createSharedReplays({ ask, keys, gateway, seen }: LoadContext, turns: Turns): SharedReplays {
  const scriptKeys = [keys.session, `${keys.prefix}r`] as const
  const turn = [`${keys.prefix}r`]
  let own = createReplays()
  let length = 0
  let epoch = ''
  const follow = async (): Promise<void> => {
    const [now, entries] = (await ask.run(readReplays, scriptKeys, [epoch, length])) as [string, string[]]
    if (now !== epoch) {
      own = createReplays()
      length = 0
      epoch = now
    }
    for (const entry of entries) apply(own, JSON.parse(entry) as ReplayDelta)
    length += entries.length
  }
  return {
    async run(work) {
      const release = await turns.take(turn)
      try {
        for (;;) {
          await follow()
          const { replays, delta } = lay(own)
          const result = await work(replays)
          const made = delta()
          if (made === undefined) return result
          const [added, w, mine] = (await ask.run(addReplay, scriptKeys, [
            ...[gateway, epoch, length],
            JSON.stringify(made),
          ])) as [number, number, number]
          seen(w, mine)
          if (added === 1) return result
        }
      } finally {
        release()
      }
    },
    drop() {
      own = createReplays()
      length = 0
      epoch = ''
    },
  }
}

const RECENT = ['writes', 'given', 'exchanged'] as const

function lay(own: Replays): { readonly replays: Replays; readonly delta: () => ReplayDelta | undefined } {
  const turns = layTurns(own.turns)
  const layers = {
    writes: layRecent(own.writes),
    given: layRecent(own.given),
    exchanged: layRecent(own.exchanged),
  }
  const recent = (name: (typeof RECENT)[number]): Recent<number> => layers[name].recent
  return {
    replays: {
      turns: turns.counters,
      ...{ writes: recent('writes'), given: recent('given'), exchanged: recent('exchanged') },
      reset() {
        throw new Error('What was replayed is forgotten with all of the session')
      },
    },
    delta() {
      const changed = RECENT.map((name) => layers[name].entries())
      const counted = turns.entries()
      if (counted.length === 0 && changed.every(({ length }) => length === 0)) return undefined
      const [writes = [], given = [], exchanged = []] = changed
      return { turns: counted, writes, given, exchanged }
    },
  }
}

function apply(own: Replays, delta: ReplayDelta): void {
  for (const [key, count] of delta.turns) own.turns.restore(key, count)
  for (const name of RECENT)
    for (const [key, value] of delta[name]) {
      own[name].delete(key)
      if (value !== null) own[name].add(key, value)
    }
}
