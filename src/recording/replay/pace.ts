import type { Clock } from '../../state/clock.ts'
import type { Pace } from './replayer.ts'

/** Waits until so many milliseconds have gone by since a replay began. */
type Until = (ms: number) => Promise<void>

/** Counts time by a session's clock from now on; waits end with an error when the signal aborts. */
export function startPace(clock: Clock, signal: AbortSignal): Until {
  const start = clock.now()
  return async (ms) => {
    const left = start + ms - clock.now()
    if (left > 0) await clock.sleep(left, signal)
  }
}

/**
 * The bytes of a body in the recorded pieces, each not before its time; what is left over comes with the last. Where
 * the end is not known, it never comes.
 */
export async function* paced(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  { chunks, isEndless }: Pace,
  until: Until,
): AsyncGenerator<Buffer> {
  let next = 0
  let left = 0
  for await (const block of source) {
    for (let rest = block; rest.length > 0;) {
      const chunk = left === 0 ? chunks[next++] : undefined
      if (chunk !== undefined) await until(chunk.timeMs)
      if (left === 0) left = chunk === undefined || next === chunks.length ? Infinity : chunk.bytes
      const piece = rest.subarray(0, Math.min(left, rest.length))
      yield piece
      left -= piece.length
      rest = rest.subarray(piece.length)
    }
  }
  if (isEndless) await until(Infinity)
}
