import { randomUUID } from 'node:crypto'
import { StateContended } from '../../errors.ts'
import type { SnapshotEntry, SnapshotHead } from '../snapshot-stream.ts'
import { fillAside, heldAside, resetSession, takePlace } from './item-scripts.ts'
import { SessionKeys } from './session-keys.ts'
import type { Ask } from './scripts.ts'
import { COMMAND_NAME, type StateServer } from './state-server.ts'

/** Items in a batch: the server is busy for about two milliseconds with it. */
const BATCH = 500
/** Batches that are on their way at a time. */
const WINDOW = 4
/** Where restored items begin, so that those that are added later come after them. */
const FIRST_PLACE = -1e12

/** A collection that something was stored in. */
export interface StoredCollection {
  readonly path: string
  readonly items: number
  /** How many ids it has assigned. */
  readonly assigned: number
  /** The number of its latest change. */
  readonly seq: string
}

/** The collections of a session that something was stored in, by name. */
export async function storedCollections(server: Ask, keys: SessionKeys): Promise<StoredCollection[]> {
  const paths = (await server.command(['SMEMBERS', keys.known], true)) as string[]
  return Promise.all(
    paths.toSorted().map(async (path) => {
      const [items, facts] = await Promise.all([
        server.command(['ZCARD', keys.order(path)], true),
        server.command(['HMGET', keys.meta(path), 'assigned', 'seq'], true),
      ])
      const [assigned, seq] = facts as (string | null)[]
      return { path, items: Number(items), assigned: Number(assigned ?? 0), seq: seq ?? '' }
    }),
  )
}

/** Takes items that are to be those of a session; until all are there, nothing of it is to be seen. */
export interface Restoring {
  add(entry: SnapshotEntry): Promise<void> | undefined
  /** Puts them in the place of what the session stores. Returns how many there are. */
  finish(head: SnapshotHead): Promise<number>
  /** Takes away what was put aside. */
  drop(): Promise<void>
}

/** Begins to restore a session. */
export function restoreSession(server: StateServer, keys: SessionKeys): Restoring {
  const aside = new Map<
    string,
    { readonly names: readonly [string, string]; count: number; batch: string[]; sentAt: number }
  >()
  const underWay = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  const asideOf = (path: string) => {
    let found = aside.get(path)
    if (found === undefined) {
      const name = `${keys.prefix}a:${randomUUID()}:`
      found = { names: [`${name}i`, `${name}o`], count: 0, batch: [], sentAt: 0 }
      aside.set(path, found)
    }
    return found
  }
  const send = async (path: string): Promise<void> => {
    const own = asideOf(path)
    if (own.batch.length === 0) return
    const batch = own.batch
    own.batch = []
    const place = FIRST_PLACE + own.count - batch.length / 2
    own.sentAt = performance.now()
    const sent: Promise<unknown> = server
      .run(fillAside, own.names, [place, ...batch])
      .catch((error: unknown) => {
        failure ??= { error }
      })
    underWay.add(sent)
    void sent.finally(() => underWay.delete(sent))
    if (underWay.size >= WINDOW) await Promise.race(underWay)
    if (failure !== undefined) throw failure.error
  }
  // What is aside goes by itself after a minute: what is complete has to be kept while others are filled.
  const keep = async (): Promise<void> => {
    for (const own of aside.values())
      if (own.count > 0 && performance.now() - own.sentAt > 20_000) {
        own.sentAt = performance.now()
        for (const name of own.names) await server.command(['EXPIRE', name, '60'])
      }
  }
  return {
    add({ path, id, text }) {
      const own = asideOf(path)
      own.count++
      if (own.batch.push(id, heldAside(text)) < BATCH * 2) return undefined
      return send(path).then(keep)
    },
    async finish({ collections, cleared = ['*'] }) {
      for (const path of aside.keys()) await send(path)
      await Promise.all(underWay)
      if (failure !== undefined) throw failure.error
      await keep()
      const scriptKeys = [keys.session, keys.known, keys.cleared, keys.touched]
      const args: (string | number)[] = [COMMAND_NAME, '', keys.prefix]
      let total = 0
      for (const [path, { assigned }] of Object.entries(collections)) {
        const { names, count } = asideOf(path)
        total += count
        scriptKeys.push(keys.items(path), keys.order(path), keys.meta(path), ...names)
        args.push(path, count, assigned)
      }
      const [kind] = (await server.run(takePlace, scriptKeys, [...args, ...cleared])) as [string]
      if (kind !== 'ok') throw new StateContended(1)
      return total
    },
    async drop() {
      await Promise.all(underWay)
      for (const { names } of aside.values())
        await server.command(['UNLINK', ...names]).catch(() => undefined)
    },
  }
}

const OTHERS = ['n', 'n2', 'ns', 'ns2', 'lk', 'r', 'j', 'jm', 'jf', 'jfm']

/** Takes all away that a session stores, counts and remembers. */
export async function emptySession(server: StateServer, keys: SessionKeys): Promise<void> {
  const scriptKeys = [keys.session, keys.known, keys.cleared, keys.touched, `${keys.prefix}lk`]
  await server.run(resetSession, scriptKeys, [COMMAND_NAME, keys.prefix, 0, ...OTHERS])
}
