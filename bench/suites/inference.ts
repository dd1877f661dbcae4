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

/** What 10,000 exchanges may take, and how much longer five times as many. */
const [MAX_SECONDS, MAX_MEBIBYTES, MAX_GROWTH] = [20, 400, 5.5]
const OTHER_USAGES: readonly Usage[] = ['one collection', 'many paths']

/** What it costs to make routes of a recording, by the length of that. */
export const inference: Suite = {
  name: 'inference',
  describe: 'CPU and memory of making routes of recordings of 1,000, 10,000 and 50,000 exchanges',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'sim-bench-inference-'))
    try {
      const [small, usual, large] = [
        await costOf(folder, 1000, 'mixed'),
        await costOf(folder, 10_000, 'mixed'),
        await costOf(folder, 50_000, 'mixed'),
      ]
      const rows = [
        ...rowsOf('1,000 exchanges', small),
        ...rowsOf('10,000 exchanges', usual, { atMost: 1 }),
        ...rowsOf('50,000 exchanges', large),
        rowOf({
          ...{ work: '50,000 exchanges', contender: '10,000 exchanges', unit: 's' },
          ...{ ours: figureOf([large.seconds]), theirs: figureOf([usual.seconds]) },
          target: { atMost: MAX_GROWTH },
        }),
      ]
      for (const usage of OTHER_USAGES)
        rows.push(...rowsOf(`10,000 exchanges, ${usage}`, await costOf(folder, 10_000, usage), { atMost: 1 }))
      return rows
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

interface Cost {
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

function rowsOf(work: string, { seconds, mebibytes, exchanges }: Cost, target?: Target): readonly Row[] {
  const row = (what: string, unit: string, ours: number, theirs: number): Row =>
    rowOf({
      ...{ work: `${work}: ${what}`, contender: '10,000 exchanges may take', unit },
      ...{ ours: figureOf([ours]), theirs: figureOf([theirs]) },
      ...(target !== undefined && { target }),
    })
  return [
    row(`CPU, ${((seconds * 1000) / exchanges).toFixed(2)} ms each`, 's', seconds, MAX_SECONDS),
    row('memory at most', 'MiB', mebibytes, MAX_MEBIBYTES),
  ]
}
