import { figureOf, intervalOf, markdownOf } from './harness/figures.ts'
import { cpuRatios } from './harness/rows.ts'
import { settings } from './harness/settings.ts'
import { compareWork, inSurroundings, isWanted, type Work } from './harness/work.ts'
import { WORKS } from './suites/works.ts'

const HELP = `npm run pairs --prefix bench -- --before <folder> --after <folder> [--row <name>]...

Compares two builds of sim (folders with a dist) by CPU for a request: nine pairs of rounds in turns, and of their ratios
the median with its interval of 95 %. Below 1, the later build is cheaper.

  --row <name>      which rows, all by default: ${WORKS.map(({ name }) => name).join(', ')}
  --rounds <n>      how many pairs
  --seconds <n>     how long each round is
`

const { before, after, rows, needsHelp } = settings
const unknown = rows.filter((row) => !WORKS.some(({ name }) => name === row))
if (needsHelp || before === undefined || after === undefined || unknown.length > 0) {
  process[needsHelp ? 'stdout' : 'stderr'].write(HELP)
  process.exit(needsHelp ? 0 : 2)
}

const lines: string[][] = []
for (const work of WORKS.filter(isWanted)) {
  lines.push(await lineOf(work, before, after))
  process.stderr.write(`${lines.at(-1)?.join('  ')}\n`)
}
process.stdout.write(markdownOf(['Row', 'before', 'after', 'CPU after / before', 'interval', 'pairs'], lines))

async function lineOf(work: Work, before: string, after: string): Promise<string[]> {
  const rounds = await inSurroundings(async (surroundings) =>
    compareWork(work, [
      await work.ours(before, 'before', surroundings),
      await work.ours(after, 'after', surroundings),
    ]),
  )
  const [old, changed] = rounds
  const failed = rounds.find(({ failure }) => failure !== undefined)
  if (old === undefined || changed === undefined || failed !== undefined)
    return [work.name, '', '', `${failed?.name}: ${failed?.failure?.split('\n', 1)[0]}`, '', '0']
  const ratios = cpuRatios(changed, old)
  const { median, min, max } = intervalOf(ratios)
  const micros = (values: readonly number[]): string => `${figureOf(values).median.toFixed(1)} µs`
  return [
    work.name,
    micros(old.cpuMicros),
    micros(changed.cpuMicros),
    median.toFixed(3),
    `${min.toFixed(3)} to ${max.toFixed(3)}`,
    String(ratios.length),
  ]
}
