import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { serverFile } from '../harness/commands.ts'
import { figureOf, rowOf, type Row, type Target } from '../harness/figures.ts'
import { settings } from '../harness/settings.ts'
import { writeRecording, type Usage } from '../recordings/write-recording.ts'
import type { Suite } from './suite.ts'

/** What recordings of the usual length may take. */
const [MAX_SECONDS, MAX_MEBIBYTES] = [20, 400]
/** How much more CPU an exchange may take among several times as many. */
const MAX_GROWTH = 1.1
const [SMALL, USUAL, LARGE] = [1000, 10_000, 50_000]
const USAGES: readonly Usage[] = ['mixed', 'one collection', 'many paths']

/** What it costs to make routes of a recording and to prove them, by what was recorded and how much of it. */
export const inference: Suite = {
  name: 'inference',
  describe: 'time, CPU and memory of making routes of recordings of 1,000, 10,000 and 50,000 exchanges',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'sim-bench-inference-'))
    try {
      const rows: Row[] = []
      for (const usage of USAGES) rows.push(...(await rowsOf(folder, usage)))
      return rows
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

async function rowsOf(folder: string, usage: Usage): Promise<readonly Row[]> {
  const small = await costOf(folder, SMALL, usage)
  const usual = await costOf(folder, USUAL, usage)
  const large = await costOf(folder, LARGE, usage)
  return [
    ...costRows(usage, small),
    ...costRows(usage, usual, { atMost: 1 }),
    ...costRows(usage, large),
    growthRow(usage, usual, small),
    growthRow(usage, large, usual),
  ]
}

/** What a process took, and what for. */
interface Cost {
  readonly wallSeconds: number
  readonly seconds: number
  readonly mebibytes: number
  readonly exchanges: number
}

async function costOf(folder: string, exchanges: number, usage: Usage): Promise<Cost> {
  const recording = join(folder, `${usage}-${exchanges}`)
  await writeRecording(recording, exchanges, { usage })
  const main = resolve(settings.build, 'dist/src/cli/main.js')
  const args = ['--import', serverFile('resource-usage.mjs'), main, 'fixtures', 'from', recording]
  const output = join(folder, 'routes')
  const { stderr } = await promisify(execFile)(process.execPath, [...args, '-o', output])
  await Promise.all([rm(output, { recursive: true }), rm(recording, { recursive: true })])
  const used = JSON.parse(stderr.slice(stderr.lastIndexOf('\n'))) as Omit<Cost, 'exchanges'>
  return { ...used, exchanges }
}

// Memory and time are those of a process that does nothing else; only the usual length has bars.
function costRows(usage: Usage, cost: Cost, target?: Target): readonly Row[] {
  const row = (what: string, unit: string, ours: number, theirs: number, bar?: Target): Row =>
    rowOf({
      ...{ work: `${workOf(usage, cost)}: ${what}`, contender: `${textOf(USUAL)} may take`, unit },
      ...{ ours: figureOf([ours]), theirs: figureOf([theirs]) },
      ...(bar !== undefined && { target: bar }),
    })
  return [
    row('time', 's', cost.wallSeconds, MAX_SECONDS, target),
    row('CPU', 's', cost.seconds, MAX_SECONDS),
    row('memory at most', 'MiB', cost.mebibytes, MAX_MEBIBYTES, target),
  ]
}

function growthRow(usage: Usage, more: Cost, fewer: Cost): Row {
  const each = ({ seconds, exchanges }: Cost): number => (seconds * 1000) / exchanges
  return rowOf({
    ...{ work: `${workOf(usage, more)}: CPU for each`, contender: `${textOf(fewer.exchanges)} exchanges` },
    ...{ unit: 'ms', ours: figureOf([each(more)]), theirs: figureOf([each(fewer)]) },
    target: { atMost: MAX_GROWTH },
  })
}

function workOf(usage: Usage, { exchanges }: Cost): string {
  return `routes of ${textOf(exchanges)} exchanges, ${usage}`
}

function textOf(count: number): string {
  return count.toLocaleString('en')
}
