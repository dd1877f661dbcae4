import { counted } from './counted.ts'

/** What was found while an app was loaded. */
interface Found {
  readonly problems: readonly string[]
  readonly notes?: readonly string[] | undefined
}

const MOST_PRINTED = 20

/** Says on stderr what documents get wrong that are served nevertheless, and what of them is not simulated. */
export function printProblems(apps: readonly Found[]): void {
  const problems = apps.flatMap((app) => app.problems)
  for (const problem of problems.slice(0, MOST_PRINTED)) process.stderr.write(`warning: ${problem}\n`)
  const more = problems.length - MOST_PRINTED
  if (more > 0) process.stderr.write(`warning: and ${more} more; sim validate prints all of them\n`)
  const notes = apps.flatMap((app) => app.notes ?? [])
  if (notes.length > 0) process.stderr.write(`not simulated: ${kindsOf(notes)}; sim validate names them\n`)
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
