/** Keeps answers from running ahead of the recording, so that a crash loses only what was in flight. */
export interface WriteOrder {
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
