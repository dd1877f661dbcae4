// npm run corpus: public descriptions are served, all that they describe is requested, and the answers are judged.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAll } from './check-all.ts'
import type { Report } from './check-description.ts'
import { allFiles, DIRECTORY, filesIn, sampleOf } from './directory.ts'
import { summarize, textOfSummary } from './summary.ts'

const USAGE = `npm run corpus -- [FOLDER or FILE ...]
Without a folder or file: all that npm ci --prefix test/corpus installs.

  --sample 300       only so many of the descriptions, by --seed
  --seed 1
  --operations 20    the most operations of each description, spread over it; default: all
  --processes 2
  --results FILE     the reports, a line of JSON for each description; default: corpus.ndjson in the folder for temporary files
  --fresh            begin anew; else descriptions that have a report are not checked again
  --at-least 99.9    percent of the answers that must be valid

Each documented status of each operation is requested with generated input by the header Prefer, from examples and
generated, and judged by two validators, headers included. What fails is grouped by its cause.
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    operations: { type: 'string', default: 'Infinity' },
    processes: { type: 'string', default: '2' },
    results: { type: 'string', default: resolve(process.env['TMPDIR'] ?? '/tmp', 'corpus.ndjson') },
    fresh: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '99.9' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}

const given = positionals.flatMap((place) =>
  /\.(json|ya?ml)$/.test(place) ? [resolve(place)] : filesIn(resolve(place)),
)
const all = given.length > 0 ? given : allFiles()
const files = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed))
if (values.fresh) rmSync(values.results, { force: true })
const known = existsSync(values.results)
  ? readFileSync(values.results, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Report)
  : []
const reports = new Map(known.map((report) => [report.file, report]))
const waiting = files.filter((file) => !reports.has(file))
const began = Date.now()
let done = 0

await checkAll(waiting, {
  extent: { operations: Number(values.operations) },
  processes: Number(values.processes),
  report(report) {
    reports.set(report.file, report)
    appendFileSync(values.results, `${JSON.stringify(report)}\n`)
    done++
    const left = Math.round((((Date.now() - began) / done) * (waiting.length - done)) / 1000)
    const problems = report.refused ?? `${report.wrong.length} of ${report.answers} wrong`
    process.stderr.write(
      `${done} of ${waiting.length}, about ${left} s left: ${relative(DIRECTORY, report.file)}: ${problems.slice(0, 200)}\n`,
    )
  },
})
const found = files.flatMap((file) => reports.get(file) ?? [])
process.stdout.write(`${textOfSummary(found, (file) => relative(DIRECTORY, file))}\n`)
const { refused, share } = summarize(found)
process.exitCode = refused.length > 0 || share * 100 < Number(values['at-least']) ? 1 : 0
