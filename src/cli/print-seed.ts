import { isDocument } from '../loaders/load-target.ts'
import type { AppSeed } from '../loaders/join-apps.ts'
import type { Seed } from '../engine/random.ts'

/** Says on stderr which seed is in use, so that any run can be repeated. */
export function printSeed(seed: Seed): void {
  process.stderr.write(`seed ${seed} (repeat this run with --seed ${seed})\n`)
}

/**
 * The same for several apps. Where each has a seed of its own, no single one repeats the run.
 * @param seed what chaos is drawn from
 */
export function printSeeds(seed: Seed, apps: readonly AppSeed[]): void {
  if (apps.every((app) => app.seed === seed)) return printSeed(seed)
  for (const { target, seed: own, isDrawn } of apps) {
    const how = isDrawn ? `drawn; repeat it with ${settingOf(own, target)}` : 'its own'
    process.stderr.write(`seed ${own} of ${target} (${how})\n`)
  }
}

function settingOf(seed: Seed, target: string): string {
  return isDocument(target) ? `seed: ${seed} in the sim.yaml beside it` : `new SimAPI({ seed: ${seed} })`
}
