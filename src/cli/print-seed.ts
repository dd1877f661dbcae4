import type { Seed } from '../engine/random.ts'

/** Says on stderr which seed is in use, so that any run can be repeated. */
export function printSeed(seed: Seed): void {
  process.stderr.write(`seed ${seed} (repeat this run with --seed ${seed})\n`)
}
