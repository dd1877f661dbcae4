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
  readonly error: string | undefined
}

/** Follows the requests of the gateway. */
export interface Feed {
  readonly state: FeedState
  subscribe(listener: () => void): () => void
  /** Begins anew with these filters. */
  follow(filters: Filters): void
  pause(isPaused: boolean): void
  clear(): void
  /** Called where a token is needed. */
  onRefused: (error: ApiError) => void
}

const EMPTY: FeedState = {
  ...{ entries: [], skipped: 0, dropped: 0, waiting: 0, isPaused: false, isLive: false, error: undefined },
}

/** Makes a feed that follows nothing yet. Listeners hear once for each picture that the browser draws, whatever changed. */
export function createFeed(): Feed {
  const listeners = new Set<() => void>()
  const places = new Map<number, number>()
  let entries: Entry[] = []
  let held: StreamEvent[] = []
  let first = 0
  let leaving = new AbortController()
  let isDue = false

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
    if (known !== undefined && known >= first) entries[known - first] = entry
    else places.set(entry.id, first + entries.push(entry) - 1)
  }
  const take = (events: readonly StreamEvent[]): void => {
    let { skipped, dropped } = feed.state
    for (const { event, data } of events) {
      if (event === 'skipped') skipped += (JSON.parse(data) as { count: number }).count
      else if (event === 'request') place(JSON.parse(data) as Entry)
      else if (event === 'open') place({ ...(JSON.parse(data) as Entry), isOpen: true })
    }
    const over = entries.length - MAX_LISTED
    if (over > 0) {
      for (const { id } of entries.slice(0, over)) places.delete(id)
      entries = entries.slice(over)
      first += over
      dropped += over
    }
    // Those who draw compare by identity.
    entries = [...entries]
    change({ entries, skipped, dropped })
  }
  const onEvents = (events: readonly StreamEvent[]): void => {
    if (!feed.state.isPaused) return take(events)
    held.push(...events)
    if (held.length > MAX_LISTED) held = held.slice(-MAX_LISTED)
    change({ waiting: held.length })
  }
  const read = async (filters: Filters, signal: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        const since = entries.reduce((most, { id }) => Math.max(most, id), 0)
        await readEvents('requests/stream', { ...filters, since, details: true }, signal, onEvents, () =>
          change({ isLive: true, error: undefined }),
        )
      } catch (error) {
        if (signal.aborted) return
        change({ isLive: false, error: messageOf(error) })
        if (error instanceof ApiError) {
          if (error.status === 401) feed.onRefused(error)
          return
        }
      }
      if (signal.aborted) return
      change({ isLive: false })
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const empty = (): void => {
    entries = []
    held = []
    places.clear()
    first = 0
  }
  const feed: Feed & { state: FeedState } = {
    state: EMPTY,
    onRefused: () => undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(filters) {
      leaving.abort()
      leaving = new AbortController()
      empty()
      change({ ...EMPTY, isPaused: feed.state.isPaused })
      void read(filters, leaving.signal)
    },
    pause(isPaused) {
      change({ isPaused, waiting: 0 })
      if (isPaused) return
      const events = held
      held = []
      take(events)
    },
    clear() {
      empty()
      change({ entries: [], skipped: 0, dropped: 0, waiting: 0 })
    },
  }
  return feed
}
