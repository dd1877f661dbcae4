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
  /** Of the texts that are kept, the one that goes first, with its hash, once it was looked for. */
  last?: Ranked | undefined
}

interface Ranked {
  readonly text: string
  readonly hash: number
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
    sketch.last = undefined
    return
  }
  sketch.isCut = true
  sketch.last ??= lastOf(kept)
  if (order(ranked(text), sketch.last) >= 0) return
  kept.delete(sketch.last.text)
  kept.set(text, times)
  sketch.last = undefined
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

function lastOf(kept: ReadonlyMap<string, number>): Ranked {
  const all = [...kept.keys()].map(ranked)
  return all.reduce((last, each) => (order(each, last) > 0 ? each : last))
}

function ranked(text: string): Ranked {
  return { text, hash: hashText(text) }
}

function order(a: Ranked, b: Ranked): number {
  if (a.hash !== b.hash) return a.hash - b.hash
  if (a.text === b.text) return 0
  return a.text < b.text ? -1 : 1
}
