import { type FileHandle, open, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { RecordingUnusable, SimError } from '../../errors.ts'
import type { Exchange, Redacted } from '../exchange.ts'
import { exchangesPath, parseExchange, readLines } from '../files/lines.ts'

/** Where an exchange lies in the file of a recording. */
export interface Place {
  readonly start: number
  readonly bytes: number
}

/** Hears of the exchanges of a recording. */
interface Follower {
  /** The file is another one than before: what was added is gone. */
  restart(): void
  add(exchange: Redacted<Exchange>, place: Place): Promise<void>
}

/** A recording that is read on as it grows. */
export interface Followed {
  /** Passes on what was added since the last time, or all of it where the file was replaced. */
  update(): Promise<void>
  /** Reads an exchange that was passed on; `undefined` where the file was replaced since. */
  read(place: Place): Promise<Redacted<Exchange> | undefined>
  close(): Promise<void>
}

const CHECKED_BYTES = 1024
/** How much of the file is kept in memory, for what is read again and again. */
const KEPT_BYTES = 4 * 1024 * 1024
const MAX_KEPT_BYTES = 64 * 1024

/** Follows the recording in a directory. @throws RecordingUnusable when there is none, or a line is not an exchange */
export async function followExchanges(directory: string, follower: Follower): Promise<Followed> {
  const path = exchangesPath(directory)
  let file: FileHandle | undefined
  let isClosed = false
  let seen = ''
  let next = { start: 0, number: 1 }
  // The last bytes that were read: another file seldom has the same ones there.
  let end: Buffer = Buffer.alloc(0)
  // What was read since the file was last seen to change.
  const kept = new LRUCache<number, Redacted<Exchange>>({
    maxSize: KEPT_BYTES,
    maxEntrySize: MAX_KEPT_BYTES,
  })

  const bytesBefore = async (at: number): Promise<Buffer> => {
    const size = Math.min(at, CHECKED_BYTES)
    const { buffer, bytesRead } = await (file as FileHandle).read(Buffer.alloc(size), 0, size, at - size)
    return buffer.subarray(0, bytesRead)
  }
  const restart = async (): Promise<void> => {
    const before = file
    file = await open(path)
    next = { start: 0, number: 1 }
    end = Buffer.alloc(0)
    follower.restart()
    await before?.close()
  }
  const isSame = async (state: Awaited<ReturnType<typeof stat>>): Promise<boolean> => {
    if (file === undefined) return false
    const { ino, dev } = await file.stat()
    return ino === state.ino && dev === state.dev && (await bytesBefore(next.start)).equals(end)
  }
  const readOn = async (): Promise<void> => {
    const lines = readLines(path, { ...next, file: file as FileHandle })
    for await (const { text, number, start, bytes, isTorn } of lines) {
      const exchange = parseExchange(text)
      // The writer may be in the middle of it.
      if (exchange === undefined && isTorn) break
      if (exchange === undefined) throw new RecordingUnusable(`${path}:${number} is not a recorded exchange`)
      await follower.add(exchange, { start, bytes }).catch((error: unknown) => {
        if (SimError.is(error)) throw error
        const reason = `${path}:${number} cannot be used: ${(error as Error).message}`
        throw new RecordingUnusable(reason, { cause: error })
      })
      next = isTorn ? { start: start + bytes, number } : { start: start + bytes + 1, number: number + 1 }
    }
    end = await bytesBefore(next.start)
  }
  const update = async (): Promise<void> => {
    if (isClosed) return
    try {
      const state = await stat(path)
      const now = [state.dev, state.ino, state.size, state.mtimeMs].join(' ')
      if (now === seen) return
      kept.clear()
      seen = ''
      if (!(await isSame(state))) await restart()
      await readOn()
      seen = now
    } catch (error) {
      if (SimError.is(error)) throw error
      throw new RecordingUnusable(`Cannot read ${path}: ${(error as Error).message}`, { cause: error })
    }
  }
  const updateInTurn = inTurn(update)
  const followed: Followed = {
    update: updateInTurn,
    async read({ start, bytes }) {
      const known = kept.get(start)
      if (known !== undefined) return known
      const before = seen
      const { buffer } = await (file as FileHandle).read(Buffer.alloc(bytes), 0, bytes, start)
      const exchange = parseExchange(buffer.toString())
      if (exchange !== undefined && before !== '' && before === seen)
        kept.set(start, exchange, { size: bytes })
      return exchange
    },
    async close() {
      isClosed = true
      // One that is at work may be about to open the file anew.
      await updateInTurn().catch(() => undefined)
      await file?.close()
      file = undefined
    },
  }
  try {
    await followed.update()
    return followed
  } catch (error) {
    await followed.close()
    throw error
  }
}

// Those who ask while it is at work wait for one more turn, and share it; and so do those who ask at the same time.
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () =>
    (waiting ??= running
      .catch(() => undefined)
      .then(() => setImmediate())
      .then(() => {
        waiting = undefined
        return (running = work())
      }))
}
