import { isDocument } from '../loaders/load-target.ts'
import type { AppSeed } from '../loaders/join-apps.ts'
import type { Seed } from '../engine/random.ts'
import { SimError } from '../errors.ts'
import { counted } from './text.ts'

/** What was found while an app was loaded. */
interface Found {
  readonly document?: string | undefined
  readonly problems: readonly string[]
  readonly notes?: readonly string[] | undefined
}

const MAX_PRINTED = 20

/** Says on stderr what kinds of documents were found. */
export function printDocuments(apps: readonly Found[]): void {
  for (const { document } of apps) if (document !== undefined) process.stderr.write(`${document}\n`)
}

/** Says on stderr what documents get wrong that are served nevertheless, and what of them is not simulated. */
export function printProblems(apps: readonly Found[]): void {
  const problems = apps.flatMap((app) => app.problems)
  for (const problem of problems.slice(0, MAX_PRINTED)) process.stderr.write(`warning: ${problem}\n`)
  const more = problems.length - MAX_PRINTED
  if (more > 0) process.stderr.write(`warning: and ${more} more; sim validate prints all of them\n`)
  const notes = apps.flatMap((app) => app.notes ?? [])
  if (notes.length > 0) process.stderr.write(`not simulated: ${kindsOf(notes)}; sim validate names them\n`)
}

/** Does what a server does when it ends; where that fails, the rest of it has to end as well. */
export function printFailure(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}

// A note begins with its kind.
function kindsOf(notes: readonly string[]): string {
  const kinds = new Map<string, number>()
  for (const note of notes) {
    const [kind = note] = note.split(': ', 1)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => counted(count, kind)).join(', ')
}

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
