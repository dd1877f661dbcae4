import type { Exchange } from '../pipeline/exchange.ts'
import type { Watch } from '../pipeline/watch.ts'
import type { WatchedExchange } from './watched-exchange.ts'

/** Keeps what passes of whole exchanges, as long as somebody looks. */
export interface Watching extends Watch {
  /** Has exchanges watched from now on; returns what ends that. */
  start(): Promise<() => void>
  /** An exchange that is or was watched; absent where it was not, or is no longer kept. */
  find(id: number): WatchedExchange | undefined
  /** Those that have not ended, the oldest first. */
  open(): readonly WatchedExchange[]
}

/** The most exchanges that are kept, and the most bytes of them. */
const MAX_KEPT = 1000
const MAX_BYTES = 32 * 1024 * 1024
/** The most exchanges that begin to be watched in a second, and after a busy second: nobody looks at each of so many. */
const MAX_PER_SECOND = 100
const MAX_WHEN_BUSY = 10
const BUSY = 1000

/** Nothing is watched, and nothing of it loaded, until somebody asks for it. */
export function createWatching(): Watching {
  const kept = new Map<number, WatchedExchange>()
  const open = new Map<number, WatchedExchange>()
  let take: typeof import('./watched-exchange.ts').watchExchange | undefined
  let watchers = 0
  let bytes = 0
  let second = 0
  let begun = 0
  let limit = MAX_PER_SECOND

  const drop = (id: number): void => {
    bytes -= kept.get(id)?.bytes ?? 0
    kept.delete(id)
  }
  const watching: Watching & { isOn: boolean } = {
    isOn: false,
    begin(exchange: Exchange) {
      const now = Math.floor(performance.now() / 1000)
      if (now !== second) {
        limit = begun > BUSY ? MAX_WHEN_BUSY : MAX_PER_SECOND
        ;[second, begun] = [now, 0]
      }
      if (exchange.transport.node === undefined || take === undefined || ++begun > limit) return
      const watched = take(exchange, {
        grow(by) {
          if (kept.has(watched.id)) bytes += by
          for (const [id, { isOpen }] of kept) {
            if (bytes <= MAX_BYTES && kept.size <= MAX_KEPT) break
            if (!isOpen) drop(id)
          }
        },
        end: () => open.delete(watched.id),
      })
      kept.set(watched.id, watched)
      open.set(watched.id, watched)
    },
    async start() {
      watchers++
      ;({ watchExchange: take } = await import('./watched-exchange.ts'))
      watching.isOn = true
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        watching.isOn = --watchers > 0
      }
    },
    find: (id) => kept.get(id),
    open: () => [...open.values()],
  }
  return watching
}
