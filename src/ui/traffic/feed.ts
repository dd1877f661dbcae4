import { ApiError, messageOf, readEvents, type StreamEvent } from '../api.ts'
import type { Entry, Filters } from './entry.ts'

/** The most requests that are listed. */
export const MAX_LISTED = 10_000
const RETRY_MS = 1000

/** What the list of requests shows. */
export interface FeedState {
  /** The oldest first. */
  readonly entries: readonly Entry[]
  /** How many came too fast to be shown, and how many are no longer listed. */
  readonly skipped: number
  readonly dropped: number
  /** How many came since it was paused. */
  readonly waiting: number
  readonly isPaused: boolean
  readonly isLive: boolean
  /** Whether it is left to other tabs. */
  readonly isHeld: boolean
  /** How many times the gateway was started anew. */
  readonly restarts: number
  readonly error: string | undefined
}

/** Follows the requests of the gateway. */
export interface Feed {
  readonly state: FeedState
  subscribe(listener: () => void): () => void
  /** Begins anew with these filters. */
  follow(filters: Filters): void
  /** Follows nothing from now on. */
  leave(): void
  /** Follows nothing for a time, and then goes on. */
  hold(isHeld: boolean): void
  pause(isPaused: boolean): void
  clear(): void
}

const EMPTY: FeedState = {
  ...{ entries: [], skipped: 0, dropped: 0, waiting: 0, restarts: 0 },
  ...{ isPaused: false, isLive: false, isHeld: false, error: undefined },
}

/** Makes a feed that follows nothing yet. Listeners hear once for each picture that the browser draws, whatever changed. */
export function createFeed(): Feed {
  const listeners = new Set<() => void>()
  const places = new Map<number, number>()
  /** What came since it was paused. */
  const held = new Map<number, Entry>()
  let entries: Entry[] = []
  let first = 0
  let leaving = new AbortController()
  let isDue = false
  let followed: Filters | undefined

  const change = (part: Partial<FeedState>): void => {
    feed.state = { ...feed.state, ...part }
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      for (const listener of listeners) listener()
    })
  }
  const place = (entry: Entry): void => {
    const known = places.get(entry.id)
    // A gateway that was started anew counts from 1 again.
    if (known !== undefined && entries[known - first]?.arrived_ms !== entry.arrived_ms) {
      empty()
      change({ skipped: 0, dropped: 0, restarts: feed.state.restarts + 1 })
      place(entry)
    } else if (known !== undefined) entries[known - first] = entry
    else places.set(entry.id, first + entries.push(entry) - 1)
  }
  const take = (come: Iterable<Entry>): void => {
    for (const entry of come) place(entry)
    let { dropped } = feed.state
    const over = entries.length - MAX_LISTED
    if (over > 0) {
      for (const { id } of entries.slice(0, over)) places.delete(id)
      entries = entries.slice(over)
      first += over
      dropped += over
    }
    // Those who draw compare by identity.
    entries = [...entries]
    change({ entries, dropped })
  }
  const isShown = ({ id, arrived_ms: at, isOpen }: Entry): boolean => {
    const shown = entries[(places.get(id) ?? -1) - first]
    return shown?.arrived_ms === at && shown.isOpen === isOpen
  }
  const onEvents = (events: readonly StreamEvent[]): void => {
    const come: Entry[] = []
    let { skipped } = feed.state
    for (const { event, data } of events) {
      if (event === 'skipped') skipped += (JSON.parse(data) as { count: number }).count
      else if (event === 'request' || event === 'open') come.push(entryIn(data, event === 'open'))
    }
    if (skipped > feed.state.skipped) change({ skipped })
    if (!feed.state.isPaused) return take(come)
    for (const entry of come) if (!isShown(entry)) held.set(entry.id, entry)
    for (const id of held.keys()) if (held.size > MAX_LISTED) held.delete(id)
    change({ waiting: held.size })
  }
  const read = async (filters: Filters, signal: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        // All that the journal keeps comes again: what ended meanwhile, and of another gateway since, counts from 1.
        await readEvents('requests/stream', { ...filters, since: 0, details: true }, signal, onEvents, () =>
          change({ isLive: true, error: undefined }),
        )
      } catch (error) {
        if (signal.aborted) return
        change({ isLive: false, error: messageOf(error) })
        // What stands between may answer for a gateway that is not there yet.
        if (error instanceof ApiError && error.status < 500) return
      }
      if (signal.aborted) return
      change({ isLive: false })
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const begin = (): void => {
    leaving.abort()
    leaving = new AbortController()
    if (followed !== undefined && !feed.state.isHeld) void read(followed, leaving.signal)
  }
  const empty = (): void => {
    entries = []
    held.clear()
    places.clear()
    first = 0
  }
  const feed: Feed & { state: FeedState } = {
    state: EMPTY,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(filters) {
      empty()
      const { isPaused, isHeld, restarts } = feed.state
      change({ ...EMPTY, isPaused, isHeld, restarts })
      followed = filters
      begin()
    },
    leave() {
      leaving.abort()
      followed = undefined
    },
    hold(isHeld) {
      if (isHeld === feed.state.isHeld) return
      change({ isHeld, isLive: false })
      begin()
    },
    pause(isPaused) {
      change({ isPaused, waiting: 0 })
      if (isPaused) return
      const come = [...held.values()]
      held.clear()
      take(come)
    },
    clear() {
      empty()
      change({ entries: [], skipped: 0, dropped: 0, waiting: 0 })
    },
  }
  return feed
}

// Headers and the like are read when a request is opened: of 10,000 they would be held for nothing.
function entryIn(data: string, isOpen: boolean): Entry {
  const { id, time, arrived_ms, method, url, route, status, duration_ms, chaos, violations } = JSON.parse(
    data,
  ) as Entry
  return {
    ...{ id, time, arrived_ms, method, url, duration_ms },
    ...(route !== undefined && { route }),
    ...(status !== undefined && { status }),
    ...(chaos !== undefined && { chaos }),
    ...(violations !== undefined && { violations }),
    ...(isOpen && { isOpen }),
  }
}
