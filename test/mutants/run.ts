// npm run mutants: changes the sources in a small way, many times, and lists the changes that no test notices.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Order, Report } from './worker.ts'
import { mutantsOf, type Mutant } from './mutants.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/mutants')
const MAP = join(CACHE, 'map.json')
const USAGE = `npm run mutants -- --count 600 --seed 1
  --folders src/pipeline,plugins,src/state,src/recording/redaction   where mutants are made
  --tests test,adapters       where tests are looked for when the map is made: which of them run what
  --map                       makes that map anew; it is kept in ${relative(ROOT, CACHE)}
  --minutes 30                ends after so long, with what was tried until then
  --workers 2                 mutants at a time
  --at-least 85               the percentage that must be noticed
  --file, --line              only mutants of one place
`
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    folders: { type: 'string', default: 'src/pipeline,plugins,src/state,src/recording/redaction' },
    tests: { type: 'string', default: 'test' },
    map: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    'at-least': { type: 'string', default: '85' },
    file: { type: 'string', default: '' },
    line: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

/** Tests that prove other things than what the sources do, or run them as built. */
const UNRELATED = /^test\/(?:docs|corpus|answers|mutants|spec)\/|architecture|names\.test/
/** The tests that know most of a file come first; a mutant that outlives those meets the others. */
const FIRST_MS = 8_000
const THEN_MS = 15_000
const MAX_HANG_MS = 20_000

/** Which functions of which sources a test file runs, and how long it takes. */
interface TestFile {
  readonly test: string
  readonly counts: Readonly<Record<string, number>>
  readonly milliseconds: number
}

interface Worker {
  run(order: Order): Promise<Report | 'hangs'>
  close(): void
}

function startWorker(env: NodeJS.ProcessEnv = {}): Worker {
  let child: ChildProcess | undefined
  const start = async (): Promise<ChildProcess> => {
    // A group of its own, so that what a mutant leaves hanging ends with it.
    const started = fork(join(import.meta.dirname, 'worker.ts'), [], {
      execArgv: ['--import', import.meta.resolve('jiti/register')],
      env: { ...process.env, ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', process.env['DEBUG'] === undefined ? 'ignore' : 'inherit', 'ipc'],
      detached: true,
    })
    await once(started, 'message')
    return started
  }
  const close = (): void => {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    child = undefined
  }
  return {
    close,
    async run(order) {
      child ??= await start()
      const running = child
      const usual = order.tests.reduce((sum, test) => sum + (known.get(test)?.milliseconds ?? 60_000), 0)
      const patience = AbortSignal.timeout(MAX_HANG_MS + 4 * usual)
      running.send(order)
      const message = once(running, 'message', { signal: patience }) as Promise<[Report]>
      const report = await message.then(([made]) => made).catch(() => 'hangs' as const)
      if (report === 'hangs') close()
      return report
    },
  }
}

const known = new Map<string, TestFile>()

async function makeMap(): Promise<void> {
  const folder = join(CACHE, 'run')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tests = values.tests.split(',').flatMap((place) => filesBelow(place, /\.test\.ts$/))
  const waiting = tests.filter((test) => !UNRELATED.test(test))
  const files: TestFile[] = []
  const work = async (): Promise<void> => {
    const worker = startWorker({ SIM_FUNCTIONS_RUN: folder })
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      const report = await worker.run({ tests: [test] })
      if (report === 'hangs' || report.failed.length > 0) {
        print(`left out, for it fails without a mutant: ${test}`)
        continue
      }
      const { counts } = JSON.parse(
        readFileSync(join(folder, `${test.replaceAll('/', '+')}.json`), 'utf8'),
      ) as TestFile
      files.push({ test, counts, milliseconds: report.milliseconds[test] ?? 0 })
    }
    worker.close()
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, work))
  writeFileSync(MAP, JSON.stringify(files))
}

/** The test files that run something of a source file, those that know most of it first. */
function relatedTo(source: string): TestFile[] {
  const mirror = source.replace(/^src\//, '').replace(/\.ts$/, '')
  const share = ({ test, counts }: TestFile): number => {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return (test.includes(mirror) ? 1 : 0) + (counts[source] ?? 0) / all
  }
  const related = [...known.values()].filter(({ counts }) => (counts[source] ?? 0) > 0)
  return related.toSorted((a, b) => share(b) - share(a))
}

function upTo(milliseconds: number, tests: readonly TestFile[]): TestFile[] {
  let spent = 0
  return tests.filter((test, index) => {
    if (index > 0 && spent + test.milliseconds > milliseconds) return false
    spent += test.milliseconds
    return true
  })
}

async function survives(worker: Worker, mutant: Mutant): Promise<boolean> {
  const related = relatedTo(mutant.file)
  const first = upTo(FIRST_MS, related)
  const then = upTo(
    THEN_MS,
    related.filter((test) => !first.includes(test)),
  )
  for (const tests of [first, then]) {
    if (tests.length === 0) continue
    const report = await worker.run({ tests: tests.map(({ test }) => test), mutant })
    if (report === 'hangs' || report.failed.length > 0) return false
  }
  return true
}

function sample(): Mutant[] {
  const sources = values.folders.split(',').flatMap((folder) => filesBelow(folder, /\.ts$/))
  const all = sources
    .filter((source) => source.includes(values.file))
    .flatMap((source) => mutantsOf(source, readFileSync(join(ROOT, source), 'utf8')))
    .filter(({ line }) => values.line === '' || line === Number(values.line))
  print(`${all.length} mutants can be made of ${sources.length} files`)
  return shuffled(all).slice(0, Number(values.count))
}

function shuffled(mutants: readonly Mutant[]): Mutant[] {
  let state = Number(values.seed)
  const draws = mutants.map((mutant) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { mutant, draw: (state ^ (state >>> 15)) >>> 0 }
  })
  return draws.toSorted((a, b) => a.draw - b.draw).map(({ mutant }) => mutant)
}

function filesBelow(place: string, wanted: RegExp): string[] {
  const folder = join(ROOT, place)
  if (!existsSync(folder)) return []
  if (place.endsWith('.ts')) return [place]
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => wanted.test(name) && !name.includes('node_modules'))
    .map((name) => join(place, name))
    .toSorted()
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function main(): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  if (values.map || !existsSync(MAP)) await makeMap()
  for (const file of JSON.parse(readFileSync(MAP, 'utf8')) as TestFile[])
    if (existsSync(join(ROOT, file.test))) known.set(file.test, file)

  const end = Date.now() + Number(values.minutes) * 60_000
  const waiting = sample()
  const survivors: Mutant[] = []
  let tried = 0
  const work = async (): Promise<void> => {
    const worker = startWorker()
    for (let mutant = waiting.shift(); mutant !== undefined && Date.now() < end; mutant = waiting.shift()) {
      if (await survives(worker, mutant)) survivors.push(mutant)
      tried++
      if (tried % 50 === 0) print(`${tried} tried, ${survivors.length} survive`)
    }
    worker.close()
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, work))

  for (const { file, line, change } of survivors.toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
  ))
    print(`${file}:${line}: ${change}`)
  const noticed = tried === 0 ? 0 : ((tried - survivors.length) / tried) * 100
  print(
    `${tried} mutants, ${tried - survivors.length} noticed (${noticed.toFixed(1)} %), ${survivors.length} survive`,
  )
  process.exitCode = noticed < Number(values['at-least']) ? 1 : 0
}

if (values.help) process.stdout.write(USAGE)
else await main()
