import { setImmediate } from 'node:timers/promises'
import type { Capture } from '../files/har.ts'

/** What was seen of an exchange, or tells it once it is its turn: `undefined` where there is nothing to write. */
export type CaptureWork = Capture | (() => Promise<Capture | undefined>)

/** Has exchanges written in the order they ended, many at a time. */
export interface WriteQueue {
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
const MOST_AT_ONCE = 64

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
        if (count < MOST_AT_ONCE) continue
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
