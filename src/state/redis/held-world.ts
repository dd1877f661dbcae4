import { StateElsewhere } from '../../errors.ts'
import type { OwnedState } from '../world.ts'
import type { HeldWorld } from '../worlds.ts'
import type { Ask } from './scripts.ts'
import type { Lease } from './lease.ts'
import { appendWorld, storeWorld } from './world-scripts.ts'

/** The keys of a world. Its braces keep them on one shard. */
export interface WorldKeys {
  readonly lease: string
  readonly facts: string
  readonly log: string
  readonly snapshot: string
}

/** What it is held with. */
export interface HeldWorldParts {
  readonly ask: Ask
  readonly world: OwnedState
  readonly lease: Lease
  readonly keys: WorldKeys
  /** By which it is known at each change whether another has begun to write. */
  readonly term: number
  /** How many entries there have been. */
  readonly seq: number
  /** How many of these are to be done again after the snapshot. */
  readonly left: number
  /** Called once when it is given up. */
  readonly onEnd: (ended: Promise<void>) => void
}

/** After so many entries a snapshot is stored, so that whoever is next has no more than these to do again. */
const MAX_ENTRIES = 1000
/** So long may entries be, or as long as the snapshot itself where that is longer. */
const MIN_BYTES = 256 * 1024
const MAX_WAIT_MS = 5000
/** Why what is no longer held cannot be changed. */
export const MOVED = 'another gateway has taken it over'

/** Holds a world that has been opened. */
export function holdWorld({ ask, world, lease, keys, term, onEnd, ...begun }: HeldWorldParts): HeldWorld {
  const all = [keys.facts, keys.log, keys.snapshot]
  let { seq, left } = begun
  let bytes = 0
  let snapshotBytes = 0
  let isOpen = true
  let isStoring = false
  let usedAt = performance.now()
  const underWay = new Set<Promise<unknown>>()
  // Replies come in order; but where one was lost, none of those after it counts.
  let kept: Promise<unknown> = Promise.resolve()

  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    onEnd(leave(world, lease))
  }
  const write = (script: typeof appendWorld, args: readonly (string | number)[]): Promise<unknown> => {
    const sent = confirmed(ask.run(script, all, [term, ...args]))
    const [before] = [kept]
    kept = sent.then(() => before)
    kept.catch(end)
    return kept
  }
  const append = (): Promise<unknown> => {
    if (!isOpen) return Promise.reject(new StateElsewhere(MOVED, 1))
    const { entries, since } = world.take()
    if (since === 'now') return store()
    const from = seq
    seq += entries.length
    left = since === 'beginning' ? entries.length : left + entries.length
    bytes = entries.reduce((sum, { length }) => sum + length, since === 'beginning' ? 0 : bytes)
    return write(appendWorld, [from, world.counts(), since, ...entries])
  }
  // What was noted so far is part of the snapshot.
  const store = (): Promise<unknown> =>
    world.settled(() => {
      const snapshot = world.snapshot()
      if (!isOpen || snapshot === undefined) return append()
      world.take()
      left = bytes = 0
      snapshotBytes = snapshot.length
      return write(storeWorld, [seq, world.counts(), snapshot])
    })
  const keepShort = (): void => {
    if (isStoring || (left < MAX_ENTRIES && bytes < Math.max(MIN_BYTES, snapshotBytes))) return
    isStoring = true
    store()
      .catch(() => undefined)
      .finally(() => (isStoring = false))
  }
  const ran = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } finally {
      await append()
      keepShort()
    }
  }
  return {
    world,
    get isOpen() {
      return isOpen
    },
    get usedAt() {
      return underWay.size > 0 ? performance.now() : usedAt
    },
    run(work) {
      usedAt = performance.now()
      const running = ran(work)
      underWay.add(running)
      void Promise.allSettled([running]).finally(() => underWay.delete(running))
      return running
    },
    async giveUp() {
      await within(MAX_WAIT_MS, Promise.allSettled(underWay))
      if (left > 0) await store().catch(() => undefined)
      end()
    },
    end,
  }
}

/** Has a world let go of what it keeps elsewhere, and then gives others its lease. */
export async function leave(world: OwnedState, lease: Lease): Promise<void> {
  try {
    await world.leave?.()
  } catch {
    // What it keeps elsewhere has to say what went wrong there.
  }
  await lease.release().catch(() => undefined)
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

// Who may no longer write gets no 1.
async function confirmed(reply: Promise<unknown>): Promise<void> {
  if ((await reply) !== 1) throw new StateElsewhere(MOVED, 1)
}
