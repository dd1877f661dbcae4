// npm run prism-cases -- DIRECTORY: Prism's own contract cases, requested of sim. Clone github.com/stoplightio/prism and name its test-harness/specs.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { forAll } from '../corpus/ask.ts'
import { startSim } from '../flow/sim-process.ts'
import { missOf, readCase, type Case } from './case.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  process.stderr.write('npm run prism-cases -- DIRECTORY with .txt files of Prism’s test-harness/specs\n')
  process.exit(2)
}

const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.txt'),
)
const work = mkdtempSync(join(tmpdir(), 'sim-prism-'))

const FLAGS: readonly (readonly [theirs: RegExp, ...ours: string[]])[] = [
  [/ (-d|--dynamic)\b/, '--dynamic'],
  [/ --cors=false/, '--no-cors'],
  [/ --errors\b/, '--check', 'enforce'],
]

/** A description whose errors are problem details, as all of Prism's are. */
function withProblems(spec: string): string {
  if (!/^["' ]*(openapi|swagger)["']?\s*:/m.test(spec)) return spec
  return /^\s*\{/.test(spec)
    ? spec.replace('{', '{"x-sim-problem-details":true,')
    : `x-sim-problem-details: true\n${spec}`
}

/** The command with the header `Prefer` in place of Prism's own parameters of the query, such as `__code`. */
function preferred(command: string): string {
  const own = /([?&])__(code|example|dynamic)=([^&'" ]*)/g
  const wanted = [...command.matchAll(own)].map(([, , name, value]) => `${name}=${value}`)
  const line = command.replace(own, '$1').replace(/[?&]+(?=['" ]|$)/g, '')
  return wanted.length === 0 ? command : `${line} -H 'Prefer: ${wanted.join(', ')}'`
}

async function answerTo({ spec, server, command }: Case, index: number): Promise<string> {
  const file = join(work, `${index}.${/^\s*\{/.test(spec) ? 'json' : 'yaml'}`)
  writeFileSync(file, withProblems(spec))
  const flags = FLAGS.flatMap(([theirs, ...ours]) => (theirs.test(server) ? ours : []))
  const sim = await startSim(['run', file, '--seed', '1', ...flags])
  const { host } = new URL(sim.url)
  const line = preferred(command.trim()).replaceAll(/(localhost|127\.0\.0\.1|0\.0\.0\.0):\d+/g, host)
  const printed = await new Promise<string>((resolve) => {
    execFile('/bin/sh', ['-c', line], { timeout: 20_000 }, (_error, stdout) => resolve(stdout))
  })
  await sim.stop()
  return printed
}

const outcomes = await forAll(
  files.toSorted(),
  async (name) => {
    const read = readCase(readFileSync(join(directory, name), 'utf8'))
    const group = relative(directory, join(directory, name)).split('/')[0] ?? ''
    if (/^proxy\b/.test(read.server.trim()))
      return { name, group, miss: 'not requested: it is of Prism’s proxy' }
    try {
      return { name, group, miss: missOf(read, await answerTo(read, files.indexOf(name))) }
    } catch (error) {
      return {
        name,
        group,
        miss: `cannot be served: ${(error as Error).message.split('\n').at(-1)?.slice(0, 150)}`,
      }
    }
  },
  2,
)
rmSync(work, { recursive: true })
const groups = new Map<string, { met: number; all: number }>()
for (const { group, miss, name } of outcomes) {
  const count = groups.get(group) ?? { met: 0, all: 0 }
  groups.set(group, { met: count.met + (miss === undefined ? 1 : 0), all: count.all + 1 })
  if (miss !== undefined) process.stdout.write(`${name}: ${miss}\n`)
}
for (const [group, { met, all }] of groups) process.stdout.write(`${group}: ${met} of ${all}\n`)
process.stdout.write(
  `${outcomes.filter(({ miss }) => miss === undefined).length} of ${outcomes.length} as Prism's authors want\n`,
)
