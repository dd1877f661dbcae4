import type { Call } from './attempts.ts'

/** Many retries at the same time. */
export interface Storm {
  /** When the first of them came, such as `2026-01-31T12:00:00.000Z`. */
  readonly at: string
  readonly retries: number
  readonly within_ms: number
}

/** A window in which retries count as being at the same time, and how many of them make a storm. */
const WINDOW_MS = 100
const LEAST = 20

/** The times at which many retries came together: those that did not wait, and those whose waits were all the same. */
export function stormsOf(calls: readonly Call[]): readonly Storm[] {
  const moments = calls
    .flatMap((call) => call.slice(1).map(({ arrived }) => arrived))
    .toSorted((a, b) => a - b)
  const storms: Storm[] = []
  let start = 0
  for (let end = 0; end < moments.length; end++) {
    const isLast = (moments[end + 1] ?? Infinity) - (moments[end] ?? 0) > WINDOW_MS / 4
    if (!isLast) continue
    const [first = 0, last = 0] = [moments[start], moments[end]]
    const count = end - start + 1
    const span = last - first
    if (count >= LEAST && count >= LEAST * (span / WINDOW_MS))
      storms.push({ at: new Date(first).toISOString(), retries: count, within_ms: Math.round(span) })
    start = end + 1
  }
  return storms
}
