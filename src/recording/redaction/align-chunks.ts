import type { BodyChunk } from '../exchange.ts'

/** A stretch that two texts have in common, and where it begins in each. */
interface Stretch {
  readonly before: number
  readonly after: number
  readonly length: number
}

const PSEUDONYM = /redacted-[0-9a-f]{8,16}~*|\[redacted\]~*/g

/**
 * The chunks of a body whose secrets were hidden, which changed its length. A pseudonym belongs to one chunk as a whole.
 * @param before the body that the chunks are of
 * @param after the same with its secrets hidden
 */
export function alignChunks(before: Buffer, after: Buffer, chunks: readonly BodyChunk[]): BodyChunk[] {
  const move = mover(before, after)
  let end = 0
  let moved = 0
  return chunks.flatMap(({ time, bytes }, index) => {
    end += bytes
    const to = index === chunks.length - 1 ? after.length : Math.max(moved, move(end))
    const chunk = { time, bytes: to - moved }
    moved = to
    return chunk.bytes === 0 ? [] : [chunk]
  })
}

function mover(before: Buffer, after: Buffer): (offset: number) => number {
  const stretches = findStretches(before, after)
  // What was written anew as a whole has nothing to go by but its length.
  if (stretches === undefined) return (offset) => Math.round((offset / before.length) * after.length)
  return (offset) => {
    const at = stretches.findLast((stretch) => stretch.before <= offset)
    if (at !== undefined && offset <= at.before + at.length) return at.after + offset - at.before
    return stretches.find((stretch) => stretch.before > offset)?.after ?? after.length
  }
}

function findStretches(before: Buffer, after: Buffer): readonly Stretch[] | undefined {
  const stretches: Stretch[] = []
  let from = 0
  let found = 0
  for (const { index, end } of pseudonymsIn(after)) {
    const length = index - from
    const at = end === undefined ? before.length - length : before.indexOf(after.subarray(from, index), found)
    if (at < found) return undefined
    stretches.push({ before: at, after: from, length })
    found = at + length
    from = end ?? after.length
  }
  return stretches
}

function* pseudonymsIn(after: Buffer): Generator<{ readonly index: number; readonly end?: number }> {
  for (const { index, 0: text } of after.toString('latin1').matchAll(PSEUDONYM))
    yield { index, end: index + text.length }
  yield { index: after.length }
}
