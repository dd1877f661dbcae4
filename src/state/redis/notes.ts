import { setTimeout as wait } from 'node:timers/promises'
import { SimError } from '../../errors.ts'
import { fieldsOf, numberOf, type StreamRow } from './change-log.ts'
import type { RedisConnection } from './connection.ts'
import { defineScript } from './scripts.ts'

/**
 * Adds notes to a bounded stream, once for each batch however often it is sent.
 * KEYS: stream, what is known of it. ARGV: instance, batch, most, most bytes, milliseconds until it is forgotten or 0,
 * how many were dropped, gateway, then arrival and text of each. Returns the number of the first.
 */
const note = defineScript(
  'note',
  [],
  `local mark = 'w:' .. ARGV[1]
local last = redis.call('HGET', KEYS[2], mark)
if last then
  local batch, first = string.match(last, '^(%d+) (%d+)$')
  if batch == ARGV[2] then return tonumber(first) end
end
local t = redis.call('TIME')
redis.call('HSETNX', KEYS[2], 't', string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000)))
local count = (#ARGV - 7) / 2
local n = redis.call('HINCRBY', KEYS[2], 'n', count)
local first = n - count + 1
redis.call('HSET', KEYS[2], mark, ARGV[2] .. ' ' .. string.format('%.0f', first))
if ARGV[6] ~= '0' then redis.call('HINCRBY', KEYS[2], 'd', ARGV[6]) end
local bytes = 0
for i = 0, count - 1 do
  local text = ARGV[9 + 2 * i]
  redis.call('XADD', KEYS[1], string.format('%.0f-0', first + i), 'g', ARGV[7], 'a', ARGV[8 + 2 * i], 'e', text)
  bytes = bytes + #text
end
bytes = redis.call('HINCRBY', KEYS[2], 'b', bytes)
local excess = redis.call('XLEN', KEYS[1]) - tonumber(ARGV[3])
while excess > 0 or (bytes > tonumber(ARGV[4]) and redis.call('XLEN', KEYS[1]) > 1) do
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', math.max(1, math.min(excess, 500)))
  if #oldest == 0 then break end
  for _, row in ipairs(oldest) do
    bytes = redis.call('HINCRBY', KEYS[2], 'b', -#row[2][6])
    redis.call('XDEL', KEYS[1], row[1])
  end
  excess = excess - #oldest
end
if ARGV[5] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return first`,
)

/** Empties a stream; its numbers go on. KEYS as of \`note\`. */
const clearNotes = defineScript(
  'clearNotes',
  ['allow-oom'],
  `local t = redis.call('TIME')
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], 'd', 'b')
redis.call('HSET', KEYS[2], 'c', redis.call('HGET', KEYS[2], 'n') or '0', 't',
  string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000)))
return 1`,
)

/** What was noted and is not passed on yet, of all streams of a gateway. */
export interface Pending {
  count: number
  bytes: number
  /** How many were given up. */
  dropped: number
}

/** Nothing waits. */
export function createPending(): Pending {
  return { count: 0, bytes: 0, dropped: 0 }
}

/** One note, which becomes a text when it is passed on. */
export interface Note {
  readonly bytes: number
  readonly arrivedMs: () => number
  readonly text: () => string
  /** Called with its number in the stream. */
  readonly onNumber?: (number: number) => void
}

/** Where notes go. */
export interface NotesOptions {
  readonly connection: RedisConnection
  /** The stream, and what is known of it. */
  readonly keys: readonly [stream: string, meta: string]
  readonly instance: string
  readonly gateway: string
  readonly most: number
  readonly mostBytes: number
  /** How long it is kept when nothing more is noted; absent for ever. */
  readonly expireMs?: number | undefined
  readonly pending: Pending
}

/** A stream of notes that several gateways write to. */
export interface Notes {
  /** Passes a note on later. */
  add(note: Note): void
  /** Resolves when what was added before has been passed on. @throws StateUnavailable when it cannot be */
  flush(): Promise<void>
  /** Forgets what was not passed on. */
  drop(): void
  /** What all gateways have passed on, the oldest first. @param after only with a greater number */
  read(after?: number): Promise<readonly StoredNote[]>
  facts(): Promise<NotesFacts>
  clear(): Promise<void>
}

/** A note as it is kept. */
export interface StoredNote {
  readonly number: number
  readonly gateway: string
  /** When it arrived, by the common clock. */
  readonly arrivedMs: number
  readonly text: string
}

/** What is known of a stream without its notes. */
export interface NotesFacts {
  readonly size: number
  readonly dropped: number
  /** The number of the latest. */
  readonly last: number
  /** Since when it is kept, by the common clock; 0 where nothing was noted yet. */
  readonly since: number
}

/** The most that waits during an outage, of all streams of a gateway. */
const MAX_PENDING = 10_000
const MAX_PENDING_BYTES = 8 * 1024 * 1024
const BATCH = 200
const PAGE = 500
const AGAIN_MS = 50

/** A stream of notes. What is noted together is written together, and nobody waits for it. */
export function createNotes(options: NotesOptions): Notes {
  const { connection, keys, instance, gateway, most, mostBytes, expireMs = 0, pending } = options
  let waiting: Note[] = []
  let dropped = 0
  let batch = 0
  let isWriting = false
  let isScheduled = false
  // How many were added, and how many of these are gone from here.
  let [added, gone] = [0, 0]
  let flushes: {
    readonly upTo: number
    readonly resolve: () => void
    readonly reject: (why: unknown) => void
  }[] = []

  const forget = (notes: readonly Note[], isDropped: boolean): void => {
    gone += notes.length
    const reached = flushes.filter(({ upTo }) => upTo <= gone)
    if (reached.length > 0) flushes = flushes.filter(({ upTo }) => upTo > gone)
    for (const { resolve } of reached) resolve()
    pending.count -= notes.length
    for (const { bytes } of notes) pending.bytes -= bytes
    if (!isDropped) return
    dropped += notes.length
    pending.dropped += notes.length
  }
  const write = async (notes: readonly Note[]): Promise<void> => {
    const lost = dropped
    const args = [
      ...[instance, ++batch, most, mostBytes, expireMs, lost, gateway],
      ...notes.flatMap(({ arrivedMs, text }) => [arrivedMs(), text()]),
    ]
    // Sent again where it is not known whether it was heard: the server knows a batch that it has.
    for (;;) {
      try {
        const first = (await connection.run(note, keys, args)) as number
        dropped -= lost
        forget(notes, false)
        for (const [index, each] of notes.entries()) each.onNumber?.(first + index)
        return
      } catch (error) {
        if (!SimError.is(error) || error.code === 'SIM_STATE_FULL' || error.code === 'SIM_STATE_LOST') {
          forget(notes, true)
          throw error
        }
        if (error.code !== 'SIM_STATE_UNCERTAIN') {
          batch--
          waiting = [...notes, ...waiting]
          throw error
        }
        await wait(AGAIN_MS, undefined, { ref: false })
      }
    }
  }
  const writeAll = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    try {
      while (waiting.length > 0) await write(waiting.splice(0, BATCH))
    } catch (error) {
      for (const { reject } of flushes.splice(0)) reject(error)
      if (waiting.length > 0) setTimeout(schedule, AGAIN_MS).unref()
    } finally {
      isWriting = false
    }
  }
  const schedule = (): void => {
    if (isScheduled || isWriting) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void writeAll()
    })
  }

  return {
    add(given) {
      waiting.push(given)
      added++
      pending.count++
      pending.bytes += given.bytes
      if (pending.count > MAX_PENDING || pending.bytes > MAX_PENDING_BYTES) forget(waiting.splice(0, 1), true)
      schedule()
    },
    flush: () =>
      gone >= added
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            flushes.push({ upTo: added, resolve, reject })
            void writeAll()
          }),
    drop() {
      forget(waiting, false)
      waiting = []
    },
    async read(after = 0) {
      const found: StoredNote[] = []
      for (let from = `(${after}-0`; ;) {
        const rows = (await connection.command([
          ...['XRANGE', keys[0], from, '+', 'COUNT', String(PAGE)],
        ])) as StreamRow[]
        for (const row of rows) {
          const { g = '', a = '0', e = '' } = fieldsOf(row)
          found.push({ number: numberOf(row), gateway: g, arrivedMs: Number(a), text: e })
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < PAGE) return found
        from = `(${last[0]}`
      }
    },
    async facts() {
      const [size, values] = (await Promise.all([
        connection.command(['XLEN', keys[0]]),
        connection.command(['HMGET', keys[1], 'n', 'c', 'd', 't']),
      ])) as [number, (string | null)[]]
      const [last = 0, cleared = 0, given = 0, since = 0] = values.map((value) => Number(value ?? 0))
      return { size, last, since, dropped: last - cleared - size + given }
    },
    async clear() {
      await connection.run(clearNotes, keys, [])
    },
  }
}
