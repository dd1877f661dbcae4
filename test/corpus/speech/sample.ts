import { contentStream } from '../../../src/engine/random.ts'

/** So many of a list, drawn by a seed, in the list's order. */
export function sampleOf<Item>(list: readonly Item[], count: number, seed: number): readonly Item[] {
  const stream = contentStream(seed, 'sample')
  return list
    .map((item, index) => ({ item, index, draw: stream.child(index).next() }))
    .toSorted((a, b) => a.draw - b.draw)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item)
}
