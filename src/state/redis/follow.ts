import type { JournalRecord } from '../journal.ts'
import { fieldsOf, numberOf, type StreamRow } from './change-log.ts'
import type { RedisConnection } from './connection.ts'
import { storedRecord } from './journal.ts'
import type { CommonKeys } from './keys.ts'

/** Where requests are followed. */
export interface FollowOptions {
  readonly connection: RedisConnection
  readonly keys: CommonKeys
  /** The time by the common clock. */
  readonly now: () => number
  readonly streamOf: (session: string) => string
}

const LOOK_MS = 100
/** Last use is notified once a second. */
const RECENT_MS = 5000
const MOST = 200

/** Calls back with each request that any gateway notes from now on. */
export function followNotes(
  { connection, keys, now, streamOf }: FollowOptions,
  listener: (record: JournalRecord) => void,
): () => void {
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  const read = new Map<string, number>()

  const sessionsSince = async (since: string): Promise<readonly string[]> => {
    const named = (await connection.command(['ZRANGEBYSCORE', keys.sessions, since, '+inf'])) as string[]
    return ['', ...named]
  }
  const begin = async (): Promise<void> => {
    const all = await sessionsSince('-inf')
    await Promise.all(
      all.map(async (key) => {
        const [row] = (await connection.command([
          ...['XREVRANGE', streamOf(key), '+', '-', 'COUNT', '1'],
        ])) as StreamRow[]
        read.set(key, row === undefined ? 0 : numberOf(row))
      }),
    )
  }
  const look = async (): Promise<void> => {
    const recent = await sessionsSince(String(now() - RECENT_MS))
    const found = await Promise.all(
      recent.map(async (key) => {
        const from = `(${read.get(key) ?? 0}-0`
        const rows = (await connection.command([
          ...['XRANGE', streamOf(key), from, '+', 'COUNT', String(MOST)],
        ])) as StreamRow[]
        const last = rows.at(-1)
        if (last !== undefined) read.set(key, numberOf(last))
        return rows
      }),
    )
    if (hasEnded) return
    const records = found.flat().map((row) => {
      const { g = '', a = '0', e = '' } = fieldsOf(row)
      return storedRecord({ number: numberOf(row), gateway: g, arrivedMs: Number(a), text: e })
    })
    for (const record of records.toSorted((a, b) => a.arrivedMs - b.arrivedMs)) listener(record)
  }
  const go = async (work: () => Promise<void>): Promise<void> => {
    const isDone = await work().then(
      () => true,
      () => false,
    )
    if (!hasEnded) timer = setTimeout(() => void go(isDone ? look : work), LOOK_MS)
    timer?.unref()
  }
  void go(begin)
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}
