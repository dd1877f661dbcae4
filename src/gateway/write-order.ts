/** Keeps answers from running ahead of the recording, so that a crash loses only what was in flight. */
export interface WriteOrder {
  /** Notes an exchange that ended; what is returned is to be called once it is written, or never will be. */
  ended(): () => void
  /** What an answer must wait for whose request comes now: all that ended before is written. */
  mark(): () => Promise<void> | undefined
}

/** @param patienceMs how long an answer may have to wait; until the recording has caught up then, no other waits */
export function createWriteOrder(patienceMs: number, onWait: (ms: number) => void): WriteOrder {
  const pending = new Set<number>()
  let waiting: Waiter[] = []
  let next = 0
  let isLate = false

  const isWritten = (mark: number): boolean => (pending.values().next().value ?? next) >= mark
  const wake = (): void => {
    if (pending.size === 0) isLate = false
    const all = waiting
    waiting = []
    for (const each of all) {
      if (isLate || isWritten(each.mark)) each.go()
      else waiting.push(each)
    }
  }
  const wait = async (mark: number): Promise<void> => {
    const start = performance.now()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        isLate = true
        wake()
      }, patienceMs)
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push({ mark, go })
    })
    onWait(performance.now() - start)
  }
  return {
    ended() {
      const number = next++
      pending.add(number)
      return () => {
        if (pending.delete(number)) wake()
      }
    },
    mark() {
      const mark = next
      return () => (isLate || isWritten(mark) ? undefined : wait(mark))
    },
  }
}

interface Waiter {
  readonly mark: number
  readonly go: () => void
}
