import type { Beginning, StoreSnapshot } from '../store.ts'
import type { SessionState } from '../state.ts'
import { createCommits } from './commit.ts'
import type { LossCheck, RedisConnection } from './connection.ts'
import { createSharedCounters, type SharedCounters } from './counters.ts'
import { resetSession } from './item-scripts.ts'
import { createSharedLimiter } from './limiter.ts'
import type { LoadContext } from './session-context.ts'
import { beginningOf } from './loaded.ts'
import { createReads } from './reads.ts'
import { createSharedReplays } from './replays.ts'
import { SessionKeys } from './session-keys.ts'
import { transact, type TransactContext } from './transact.ts'
import { createTurns } from './turns.ts'

/** What the requests of one session count and store on a server that gateways share. */
export interface SharedSessionState extends SessionState {
  readonly requestCounts: SharedCounters
  readonly scenarios: SharedCounters
  /** Takes all that the session holds away, its items too: it begins again with what the app begins with. */
  reset(): Promise<void>
  /** Passes on what was only counted here. */
  flush(): Promise<void>
  /** Lets go of what this gateway knows of the session, which has ended. */
  forget(): void
}

/** What the states of all sessions have in common. */
export interface SessionStatesParts {
  readonly connection: RedisConnection
  /** What the keys of all sessions begin with, such as `sim:{shop}`. */
  readonly namespace: string
  /** This gateway's name, which no other that runs has. */
  readonly gateway: string
  /** What the app's store holds when a session begins. */
  readonly first: StoreSnapshot | undefined
}

/** Makes the states of sessions, by their keys. */
export interface SessionStates {
  of(key: string): SharedSessionState
  /** How often work had to begin again since other gateways were quicker. */
  readonly retries: number
  /** Ends what watches the connection. */
  close(): void
}

/** How much the server was seen to have counted in one session. */
interface Mark {
  w: number
  own: number
  at: number
}

// What is left of a session that ended goes after ten minutes, and a mark is not missed where it is nearly as old.
const REST_MS = 600_000
const YOUNG_MS = REST_MS - 60_000

/** The states of all sessions on one server. */
export function createSessionStates(parts: SessionStatesParts): SessionStates {
  const { connection, namespace, gateway, first } = parts
  const marks = new Map<string, Mark>()
  const beginnings = new Map<string, Beginning>()
  const firstPaths = Object.keys(first?.collections ?? {})
  const turns = createTurns()
  let retries = 0
  const firstOf = (path: string): Beginning | undefined => {
    if (first === undefined || !Object.hasOwn(first.collections, path)) return undefined
    let known = beginnings.get(path)
    if (known === undefined)
      beginnings.set(
        path,
        (known = beginningOf(first.collections[path] as StoreSnapshot['collections'][string])),
      )
    return known
  }
  const unwatch = connection.watch(lossOf(marks, namespace, gateway))

  const of = (key: string): SharedSessionState => {
    const keys = new SessionKeys(namespace, key)
    const mark: Mark = { w: 0, own: 0, at: 0 }
    const seen = (w: number, own: number): void => {
      if (w <= 0) return
      if (mark.at === 0) marks.set(key, mark)
      mark.at = performance.now()
      if (w > mark.w) mark.w = w
      // The server may have been emptied meanwhile, by hand.
      if (own > 0 && own < mark.own) connection.doubt()
      if (own > 0) mark.own = own
    }
    const context: LoadContext = { ask: connection, keys, gateway, stored: new Set(), seen }
    const own: TransactContext = {
      ...context,
      ...{ reads: createReads(context), commits: createCommits(context), made: new Map() },
      firstOf,
      firstPaths,
      turns: {
        take: (names) => turns.take(names.map(ofSession)),
        areFree: (names) => turns.areFree(names.map(ofSession)),
      },
      retried: () => void retries++,
    }
    const ofSession = (text: string): string => `${key}\n${text}`
    const requestCounts = createSharedCounters(context, '')
    const scenarios = createSharedCounters(context, 's')
    const replays = createSharedReplays(context)
    const forget = (): void => {
      requestCounts.drop()
      scenarios.drop()
      replays.drop()
      marks.delete(key)
      Object.assign(mark, { w: 0, own: 0, at: 0 })
    }
    return {
      ...{ isShared: true, requestCounts, scenarios, limiter: createSharedLimiter(context) },
      transact: (work) => transact(own, work),
      replay: (work) => replays.run(work),
      async reset() {
        forget()
        const scriptKeys = [keys.session, keys.known, keys.cleared, keys.touched, `${keys.prefix}lk`]
        const others = ['n', 'n2', 'ns', 'ns2', 'nr', 'nr2', 'lk', 'r']
        const rest = key === '' ? 0 : REST_MS
        const w = await connection.run(resetSession, scriptKeys, [gateway, keys.prefix, rest, ...others])
        seen(Number(w), 0)
      },
      async flush() {
        await Promise.all([requestCounts.flush(), scenarios.flush()])
      },
      forget,
    }
  }
  return {
    of,
    get retries() {
      return retries
    },
    close: unwatch,
  }
}

// A session that began again since has an epoch that is later than all that was counted before.
function lossOf(marks: Map<string, Mark>, namespace: string, gateway: string): LossCheck {
  return {
    async find(ask) {
      const all = await Promise.all(
        [...marks].map(async ([key, mark]) => {
          const { session } = new SessionKeys(namespace, key)
          const reply = await ask.command(['HMGET', session, 'w', `w:${gateway}`, 'epoch'], true)
          const [w, own, epoch] = (reply as (string | null)[]).map(Number) as [number, number, number]
          const isGone = w === 0 && performance.now() - mark.at < YOUNG_MS
          const isBehind = w > 0 && epoch <= mark.w && (w < mark.w || own < mark.own)
          if (!isGone && !isBehind) return undefined
          return `of session '${key}', changes that this gateway has seen are not there`
        }),
      )
      return all.find((each) => each !== undefined)
    },
    forget() {
      for (const mark of marks.values()) Object.assign(mark, { w: 0, own: 0, at: 0 })
      marks.clear()
    },
  }
}
