import { hashText } from '../engine/random.ts'

/**
 * Which different texts came, in bounded memory: those with the smallest hashes are kept, each with its exact count (a
 * bottom-k sketch). What is kept depends on the texts alone, not on their order or on how they were split.
 */
export interface Sketch {
  /** The texts that are kept, with how often each came. */
  readonly kept: Map<string, number>
  /** Whether some were not kept. */
  isCut: boolean
}

/** How many different texts are kept. */
export const MAX_KEPT = 12

/** Nothing seen yet. */
export function createSketch(): Sketch {
  return { kept: new Map(), isCut: false }
}

/** Counts a text once more, or several times. */
export function addText(sketch: Sketch, text: string, times = 1): void {
  const { kept } = sketch
  const known = kept.get(text)
  if (known !== undefined) {
    kept.set(text, known + times)
    return
  }
  if (kept.size < MAX_KEPT && !sketch.isCut) {
    kept.set(text, times)
    return
  }
  sketch.isCut = true
  const last = lastOf(kept)
  if (order(text, last) >= 0) return
  kept.delete(last)
  kept.set(text, times)
}

/** Adds what another saw. */
export function addSketch(to: Sketch, from: Sketch): void {
  for (const [text, times] of from.kept) addText(to, text, times)
  if (from.isCut) to.isCut = true
}

/** How many different texts came; `Infinity` where not all were kept. */
export function countDistinct({ kept, isCut }: Sketch): number {
  return isCut ? Infinity : kept.size
}

function lastOf(kept: ReadonlyMap<string, number>): string {
  return [...kept.keys()].reduce((last, text) => (order(text, last) > 0 ? text : last))
}

function order(a: string, b: string): number {
  const [one, other] = [hashText(a), hashText(b)]
  if (one !== other) return one - other
  if (a === b) return 0
  return a < b ? -1 : 1
}
