/** Some bytes of a body, and when they came. */
export interface BodyChunk {
  /** Milliseconds since the request was sent. */
  readonly time: number
  readonly bytes: number
}

/** Notes when the bytes of a body come. */
export interface Timeline {
  note(bytes: number): void
  read(): readonly BodyChunk[]
}

/** Most chunks that are told apart; of a body that comes in more, those near each other count as one. */
export const MOST_CHUNKS = 1_000

/**
 * A timeline of bounded length.
 * @param now milliseconds, of any clock
 * @param nearMs bytes that come within this time count as one chunk
 */
export function createTimeline(now: () => number, nearMs: number): Timeline {
  let chunks: BodyChunk[] = []
  let near = nearMs
  const add = (chunk: BodyChunk): void => {
    const last = chunks.at(-1)
    if (last === undefined || chunk.time - last.time >= near) chunks.push(chunk)
    else chunks[chunks.length - 1] = { time: last.time, bytes: last.bytes + chunk.bytes }
  }
  return {
    note(bytes) {
      add({ time: now(), bytes })
      while (chunks.length > MOST_CHUNKS) {
        near *= 2
        const all = chunks
        chunks = []
        for (const chunk of all) add(chunk)
      }
    },
    read: () => chunks,
  }
}
