import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { failedRow, summaryOf, tableOf, type Row } from './harness/figures.ts'
import { settings } from './harness/settings.ts'
import { asRecorded } from './suites/as-recorded.ts'
import { forward, record } from './suites/forward.ts'
import { generated, peers } from './suites/generated.ts'
import { inference } from './suites/inference.ts'
import { memory } from './suites/memory.ts'
import { options } from './suites/options.ts'
import { replay } from './suites/replay.ts'
import { start } from './suites/start.ts'
import { state } from './suites/state.ts'
import { store } from './suites/store.ts'
import type { Suite } from './suites/suite.ts'
import { WORKS } from './suites/works.ts'
import { watched } from './suites/watched.ts'
import { workers } from './suites/workers.ts'

const SUITES: readonly Suite[] = [
  ...[generated, options, peers, forward, record, replay, asRecorded, inference],
  ...[store, start, memory, workers, watched, state],
]
const HELP = `npm run bench                 measures everything
npm run bench -- <name> ...   measures what is named

${SUITES.map(({ name, describe }) => `  ${name.padEnd(12)}${describe}`).join('\n')}

  --row <name>      measure only this row of generated, options, forward, record and state; repeat it for more:
                    ${WORKS.map(({ name }) => name).join(', ')}
  --build <folder>  measure the build in this folder's dist in place of this one's
  --rounds <n>      how often each contender takes its turn (or BENCH_ROUNDS)
  --seconds <n>     how long each turn is (or BENCH_SECONDS)

Install what is compared with first: npm ci --prefix bench. The tools wrk, nginx and java are used where they are
installed.
`

const { names, rows: wanted, needsHelp } = settings
if (needsHelp) {
  process.stdout.write(HELP)
  process.exit(0)
}
const unknown = [
  ...names.filter((name) => !SUITES.some((suite) => suite.name === name)),
  ...wanted.filter((row) => !WORKS.some(({ name }) => name === row)),
]
if (unknown.length > 0) {
  process.stderr.write(`There is no bench '${unknown.join("', '")}'.\n\n${HELP}`)
  process.exit(2)
}

// Rows belong to suites that have others too, so that a row alone names no suite.
const WITH_ROWS: readonly Suite[] = [generated, options, forward, record, state]
const chosen = wanted.length > 0 ? WITH_ROWS : SUITES.filter(({ name }) => isChosen(name))
const rows: Row[] = []
for (const suite of chosen) {
  process.stderr.write(`${suite.name}: ${suite.describe}\n`)
  const found = await measured(suite)
  rows.push(...found)
  process.stderr.write(`${tableOf(found)}\n`)
}

function isChosen(name: string): boolean {
  return names.length === 0 || names.includes(name)
}

// Those that come after keep their turn.
async function measured(suite: Suite): Promise<readonly Row[]> {
  try {
    return await suite.measure()
  } catch (error) {
    const { message } = error as Error
    process.stderr.write(`${message}\n`)
    return [failedRow(suite.describe, message)]
  }
}

const [cpu] = cpus()
const machine = `${cpus().length} × ${cpu?.model ?? 'unknown'}, Node ${process.versions.node}`
const table = `${tableOf(rows)}\n${machine}. Medians of rounds, with minimum and maximum; ${summaryOf(rows)}.\n`
writeFileSync(
  resolve(import.meta.dirname, 'results.json'),
  `${JSON.stringify({ machine, rows }, undefined, 2)}\n`,
)
writeFileSync(resolve(import.meta.dirname, 'results.md'), table)
process.stdout.write(table)
