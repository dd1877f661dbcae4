import { setImmediate } from 'node:timers/promises'
import type { Capture } from '../files/har.ts'

/** What was seen of an exchange, or what gives it when it is its turn: `undefined` where there is nothing to write. */
export type CaptureWork = Capture | (() => Promise<Capture | undefined>)

/** Has exchanges written in the order they ended, many at a time. */
interface WriteQueue {
  /** @param heldBytes how much memory it takes until it is written */
  add(work: CaptureWork, heldBytes: number): void
  /** Resolves when all that was added is written. */
  flush(): Promise<void>
}

/** Work, or who waits until all before it was handed over. */
interface Waiting {
  readonly work?: CaptureWork
  readonly reached?: () => void
  readonly heldBytes: number
}

/** How many are prepared before others have their turn. */
const MAX_AT_ONCE = 64

/** Whom a queue serves. */
export interface WriteQueueOptions {
  /** Writes some exchanges. Calls that overlap are done in their order. */
  readonly write: (captures: readonly Capture[]) => Promise<void>
  /** Hears, in order, how many are written or never will be, and how much memory they took. */
  readonly onWritten: (count: number, heldBytes: number) => void
  /** Hears of what went wrong; the queue goes on. */
  readonly onError: (error: unknown) => void
}

/** Begins once what ends in the same turn of the event loop has been gathered. */
export function createWriteQueue({ write, onWritten, onError }: WriteQueueOptions): WriteQueue {
  let waiting: Waiting[] = []
  let captures: Capture[] = []
  let count = 0
  let held = 0
  let draining: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()

  const handOver = (): void => {
    const [before, written, writtenCount, writtenBytes] = [writing, captures, count, held]
    captures = []
    count = 0
    held = 0
    if (writtenCount === 0) return
    const done = written.length === 0 ? undefined : write(written).catch(onError)
    writing = before.then(() => done).then(() => onWritten(writtenCount, writtenBytes))
  }
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      for (const { work, heldBytes, reached } of batch) {
        // What ended before does not wait for one that has to be waited for.
        if (typeof work === 'function' || reached !== undefined) handOver()
        reached?.()
        if (work === undefined) continue
        const capture = typeof work === 'function' ? await work().catch(onError) : work
        if (capture) captures.push(capture)
        count++
        held += heldBytes
        if (count < MAX_AT_ONCE) continue
        handOver()
        await setImmediate()
      }
      handOver()
    }
    draining = undefined
  }
  return {
    add(work, heldBytes) {
      waiting.push({ work, heldBytes })
      draining ??= setImmediate().then(drain)
    },
    async flush() {
      // What is added later is not waited for, since there may be no end of it.
      if (draining !== undefined)
        await new Promise<void>((reached) => waiting.push({ reached, heldBytes: 0 }))
      await writing
    },
  }
}

/** Keeps answers from running ahead of the recording, so that a crash loses only what was in flight. */
interface WriteOrder {
  /** Notes an exchange that ended. */
  ended(): void
  /** So many of those that ended first are written, or never will be. */
  written(count: number): void
  /** How many ended until now. */
  mark(): number
  /** What an answer must wait for, if anything: all that had ended at a mark is written. */
  ready(mark: number): Promise<void> | undefined
}

interface Waiter {
  readonly mark: number
  readonly since: number
  readonly go: () => void
}

/** @param patienceMs how long an answer may have to wait; until the recording has caught up then, no other waits */
export function createWriteOrder(patienceMs: number, onWait: (ms: number) => void): WriteOrder {
  let ended = 0
  let written = 0
  let waiting: Waiter[] = []
  let timer: NodeJS.Timeout | undefined
  let isLate = false

  const wake = (): void => {
    if (written === ended) isLate = false
    const all = waiting
    waiting = []
    for (const each of all) {
      if (isLate || written >= each.mark) each.go()
      else waiting.push(each)
    }
  }
  // Those that wait do so in the order they came, so that one timer is enough.
  const watch = (): void => {
    const [first] = waiting
    if (first === undefined || timer !== undefined) return
    const leftMs = first.since + patienceMs - performance.now()
    timer = setTimeout(() => {
      timer = undefined
      if (waiting[0] === first) {
        isLate = true
        wake()
      }
      watch()
    }, leftMs)
  }
  const wait = async (mark: number): Promise<void> => {
    const since = performance.now()
    await new Promise<void>((go) => {
      waiting.push({ mark, since, go })
      watch()
    })
    onWait(performance.now() - since)
  }
  return {
    ended: () => void ended++,
    written(count) {
      written += count
      if (waiting.length > 0) wake()
      else if (written === ended) isLate = false
    },
    mark: () => ended,
    ready: (mark) => (isLate || written >= mark ? undefined : wait(mark)),
  }
}

/** Bytes that may wait to be written, and those who wait for there to be fewer. */
interface Backlog {
  taken(): number
  /** Whether less is taken than there is. */
  hasCapacity(): boolean
  /** Whether twice as much is taken as there is. */
  isOverloaded(): boolean
  take(bytes: number): void
  release(bytes: number): void
  /** What to wait for until there is capacity; `undefined` when there is. */
  wait(): Promise<void> | undefined
}

/** @param bytes how many may wait before sources are slowed down */
export function createBacklog(bytes: number): Backlog {
  let taken = 0
  let freed: Promise<void> | undefined
  let free = (): void => undefined
  const hasCapacity = (): boolean => taken <= bytes
  return {
    taken: () => taken,
    hasCapacity,
    isOverloaded: () => taken > 2 * bytes,
    take(more) {
      taken += more
    },
    release(less) {
      taken -= less
      if (!hasCapacity() || freed === undefined) return
      freed = undefined
      free()
    },
    wait() {
      if (hasCapacity()) return undefined
      return (freed ??= new Promise((resolve) => (free = resolve)))
    },
  }
}
