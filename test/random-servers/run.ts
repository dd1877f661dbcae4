// npm run random-servers: random servers are recorded by random clients; what is inferred must answer as they did.
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { addTo } from '../../src/grouping.ts'
import { checkServer, checkUnseen, type Unseen } from './check-server.ts'
import { anyDesign, anySteps, type Design } from './design.ts'

const USAGE = `npm run random-servers -- --count 50 --seed 1
  --minutes 10   ends after so long, with what was tried until then
  --only NAME    recorded: the recording itself, files, drift and order; unseen: another session of the same server
  --shrinking 20 seconds in which what fails is made smaller
  --show         print every request that is answered otherwise
  --at-least 95  percent of unseen requests that must be answered alike over all servers
  --by NAME      what causes are divided by: a property of designs, such as single, list or paging

It fails where a recording is not answered as it was, and where less of what was not recorded is answered alike over
all servers than it must be; single servers below that are printed. The other session uses the operations that the recorded
one used, whatever became of them: requests of methods and calls that the recording never shows are left out and counted.

Each server has a seed of its own, from --seed on. One that fails is made as small as can be and printed; --seed with
its number and --count 1 tries it again.
`
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    shrinking: { type: 'string', default: '20' },
    show: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '95' },
    by: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}

const AT_LEAST = Number(values['at-least']) / 100
const MAX_CAUSES = 40
const SHRINKING_MS = Number(values.shrinking) * 1000
const end = Date.now() + Number(values.minutes) * 60_000
const print = (text: string): boolean => process.stdout.write(`${text}\n`)
let [tried, failed, below, requested, unlike, leftOut] = [0, 0, 0, 0, 0, 0]
const causes = new Map<string, number>()

for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.count); seed++) {
  if (Date.now() > end) break
  tried++
  if (values.only !== 'unseen' && !(await isSoundAt(seed))) failed++
  if (values.only !== 'recorded' && !(await isUnseenSoundAt(seed))) below++
}
for (const [cause, count] of [...causes].toSorted(([, a], [, b]) => b - a).slice(0, MAX_CAUSES))
  print(`${String(count).padStart(6)}  ${cause}`)
const share = requested === 0 ? 1 : 1 - unlike / requested
if (values.only !== 'unseen') print(`${tried} servers, ${failed} not answered as they were recorded`)
if (values.only !== 'recorded')
  print(
    `${tried} servers, ${below} below ${AT_LEAST * 100} %, ${(share * 100).toFixed(1)} % of ${requested} unseen requests answered alike, ${leftOut} of operations that were not recorded left out`,
  )
process.exitCode = failed > 0 || share < AT_LEAST ? 1 : 0

async function isSoundAt(seed: number): Promise<boolean> {
  const property = fc.asyncProperty(
    anyDesign,
    anySteps(0, 60),
    anySteps(0, 40),
    async (design, steps, others) => {
      const found = await checkServer(design, steps, others)
      const wrong = Object.entries(found).filter(([, list]) => (list as readonly string[]).length > 0)
      if (wrong.length > 0)
        throw new Error(
          wrong
            .map(([name, list]) => `${name}:\n    ${(list as string[]).slice(0, 6).join('\n    ')}`)
            .join('\n  '),
        )
    },
  )
  const run = { seed, numRuns: 1 }
  const first = await fc.check(property, { ...run, endOnFailure: true })
  if (!first.failed) return true
  const limits = { interruptAfterTimeLimit: SHRINKING_MS, markInterruptAsFailure: false }
  const smaller = SHRINKING_MS > 0 ? await fc.check(property, { ...run, ...limits }) : first
  // Where time was up before the first was tried again, it has found nothing.
  const result = smaller.counterexample === null ? first : smaller
  const { counterexample, errorInstance } = result
  print(
    `server ${seed} recorded: ${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`,
  )
  print(`  of ${JSON.stringify(counterexample)}`)
  return false
}

async function isUnseenSoundAt(seed: number): Promise<boolean> {
  const [first] = fc.sample(fc.tuple(anyDesign, anySteps(150, 150), anySteps(80, 80)), { seed, numRuns: 1 })
  if (first === undefined) return true
  const [design, steps, others] = first
  const found = await checkUnseen(design, steps, others)
  requested += found.requested
  unlike += found.unlike.length
  leftOut += found.leftOut
  const kind = values.by === '' ? '' : ` (${values.by} ${JSON.stringify(design[values.by as keyof Design])})`
  for (const { cause } of found.unlike) addTo(causes, cause + kind)
  const isFine = found.unlike.length <= found.requested * (1 - AT_LEAST)
  if (!isFine || values.show) print(describe(seed, design, found))
  return isFine
}

function describe(seed: number, { collections, ...design }: Design, found: Unseen): string {
  const nouns = collections.map(
    ({ noun, id, parent }) => `${noun[1]} (${id}${parent === undefined ? '' : `, parent ${parent}`})`,
  )
  const lines = found.unlike.map(({ request }) => `    ${request.slice(0, 300)}`)
  return [
    `server ${seed} unseen: ${found.unlike.length} of ${found.requested} unlike, of ${nouns.join(', ')} ${JSON.stringify(design)}`,
    ...lines,
  ].join('\n')
}
