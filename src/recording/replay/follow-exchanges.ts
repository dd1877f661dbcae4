import { type FileHandle, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { RecordingUnusable, SimError } from '../../errors.ts'
import type { Exchange, Redacted } from '../exchange.ts'
import { exchangesPath, openWhole, parseExchange, readLines } from '../files/lines.ts'
import { createOrder, momentOf, partsOf } from '../files/parts.ts'

/** Where an exchange lies in a recording. */
export interface Place {
  /** Which file of several it is in. */
  readonly part: number
  readonly start: number
  readonly bytes: number
}

/** Hears of the exchanges of a recording. */
interface Follower {
  /** The file is another one than before: what was added is gone. */
  restart(): void
  /** @param number the line of its file */
  add(exchange: Redacted<Exchange>, place: Place, number: number): Promise<void>
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
  const parts = await partsOf(directory)
  return parts.every((part) => part === directory)
    ? followFile(exchangesPath(directory), follower)
    : followParts(directory, follower)
}

async function followFile(path: string, follower: Follower): Promise<Followed> {
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
    file = await openWhole(path)
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
      await follower.add(exchange, { part: 0, start, bytes }, number).catch(unusable(path, number))
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
  return begun(followed)
}

/**
 * Follows the recordings of several gateways as one: what is there by when it began, as each that reads it has it, and
 * then what was added since the last time. Where one is new or was replaced, all begin anew.
 */
async function followParts(directory: string, follower: Follower): Promise<Followed> {
  let paths: readonly string[] = []
  let files: Followed[] = []
  let order = createOrder()
  let isReplaced = false

  const closeAll = async (): Promise<void> => {
    paths = []
    await Promise.all(files.splice(0).map((file) => file.close()))
  }
  const openAll = async (now: readonly string[]): Promise<void> => {
    await closeAll()
    order = createOrder()
    for (const [part, path] of now.entries()) {
      const file = await followFile(path, {
        restart: () => void (isReplaced = true),
        add: async ({ startedDateTime }, place, number) =>
          order.add(momentOf(startedDateTime), { ...place, part, number }),
      })
      files.push(file)
    }
    paths = now
    follower.restart()
  }
  const update = async (): Promise<void> => {
    const now = (await partsOf(directory)).map(exchangesPath)
    if (now.length === 0) throw new RecordingUnusable(`${directory} holds no recording any longer`)
    order = createOrder()
    isReplaced = now.join('\n') !== paths.join('\n')
    if (!isReplaced) for (const file of files) await file.update()
    if (isReplaced) await openAll(now)
    for (const { number, ...place } of order.sorted()) {
      const exchange = await files[place.part]?.read(place)
      if (exchange !== undefined)
        await follower.add(exchange, place, number).catch(unusable(paths[place.part], number))
    }
  }
  let isClosed = false
  const updateInTurn = inTurn(async () => {
    if (isClosed) return
    // What is not complete is begun anew the next time.
    await update().catch(async (error: unknown) => {
      await closeAll()
      throw error
    })
  })
  return begun({
    update: updateInTurn,
    read: async (place) => files[place.part]?.read(place),
    async close() {
      isClosed = true
      await updateInTurn()
      await closeAll()
    },
  })
}

async function begun(followed: Followed): Promise<Followed> {
  try {
    await followed.update()
    return followed
  } catch (error) {
    await followed.close()
    throw error
  }
}

function unusable(path: string | undefined, number: number): (error: unknown) => never {
  return (error) => {
    if (SimError.is(error)) throw error
    const reason = `${path}:${number} cannot be used: ${(error as Error).message}`
    throw new RecordingUnusable(reason, { cause: error })
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
