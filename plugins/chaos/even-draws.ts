import { chaosDraws, type Seed } from '../../src/engine/random.ts'

/** Half of the bits of a place in a block, and how many places a block has. */
const HALF = 5
const BLOCK = 1 << (2 * HALF)
const MASK = (1 << HALF) - 1
const ROUNDS = 4

/**
 * Numbers in [0, 1) as `chaosDraws` has them, but spread evenly: those that are drawn first by 1,024 requests in a row
 * fall each in another 1,024th of that range, in a random order, and so do those that are drawn second.
 */
export function evenDraws(seed: Seed, kind: string, route: string, ordinal: number): () => number {
  const within = chaosDraws(seed, kind, route, ordinal)
  const orders = chaosDraws(seed, `the order of ${kind}`, route, Math.floor(ordinal / BLOCK))
  return () => (shuffled(ordinal % BLOCK, Math.floor(orders() * 2 ** 32)) + within()) / BLOCK
}

// A Feistel network: whatever the rounds mix, no two places become the same.
function shuffled(place: number, key: number): number {
  let [left, right] = [place >> HALF, place & MASK]
  for (let round = 1; round <= ROUNDS; round++) {
    const mixed = Math.imul(Math.imul(right + round * 37, 0x9e3779b1) ^ key, 0x85ebca6b)
    ;[left, right] = [right, left ^ ((mixed >>> 16) & MASK)]
  }
  return (left << HALF) | right
}
