/** The one of some words that another is most likely a slip of; `undefined` when it is like none. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const plain = plainOf(word)
  const most = Math.max(1, Math.floor(plain.length / 3))
  const [best] = words
    .map((each) => ({ each, distance: distanceOf(plain, plainOf(each)) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
  return best?.each
}

// listCount, list-count and list_count differ in nothing that matters here.
function plainOf(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, '')
}

/** How many letters must be put in, left out, changed or swapped with their neighbour to make one word of another. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = (rows[i] = [i])
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Infinity
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped)
    }
  }
  return at(a.length, b.length)
}
