import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { failedRow, summaryOf, tableOf, type Row } from './harness/figures.ts'
import { forward, record } from './suites/forward.ts'
import { generated, peers } from './suites/generated.ts'
import { memory } from './suites/memory.ts'
import { replay } from './suites/replay.ts'
import { start } from './suites/start.ts'
import { store } from './suites/store.ts'
import type { Suite } from './suites/suite.ts'
import { workers } from './suites/workers.ts'

const SUITES: readonly Suite[] = [generated, peers, forward, record, replay, store, start, memory, workers]
const HELP = `npm run bench                 measures everything
npm run bench -- <name> ...   measures what is named

${SUITES.map(({ name, describe }) => `  ${name.padEnd(12)}${describe}`).join('\n')}

Install what is compared with first: npm ci --prefix bench. The tools wrk, nginx and java are used where they are
installed. BENCH_ROUNDS and BENCH_SECONDS say how often and how long each contender is asked.
`

const names = process.argv.slice(2)
const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    unknown.includes('--help') ? HELP : `There is no bench '${unknown.join("', '")}'.\n\n${HELP}`,
  )
  process.exit(2)
}

const rows: Row[] = []
for (const suite of SUITES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  process.stderr.write(`${suite.name}: ${suite.describe}\n`)
  const found = await measured(suite)
  rows.push(...found)
  process.stderr.write(`${tableOf(found)}\n`)
}

// Those that come after need not miss their turn.
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
