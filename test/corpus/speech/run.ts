// npm run speech: asks every operation of public descriptions, and counts how many answer what their description says.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startCommand } from '../../flow/sim-process.ts'
import { DESCRIPTIONS, fileOf } from '../descriptions.ts'
import { forAll } from '../ask.ts'
import { listedFiles } from './listed.ts'
import { sampleOf } from './sample.ts'
import { checkSpeech, readText } from './check-speech.ts'
import { Tally } from './tally.ts'

const ROOT = join(import.meta.dirname, '../../..')
const USAGE = `npm run speech -- [--sample 300] [--seed 1] [--only TEXT] [--build DIR] [--list FILE] [--at-once 2]
  --sample   so many of the descriptions, drawn by the seed; all without it, of which the nine largest take minutes
  --only     descriptions whose path has this text
  --build    the checkout, as built, that is requested
  --list     a file for what falls short
`
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    build: { type: 'string', default: ROOT },
    list: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}

const all = [...DESCRIPTIONS.map(fileOf), ...listedFiles()]
const sampled = sampleOf(all, Number(values.sample ?? all.length), Number(values.seed))
const files = sampled.filter((file) => file.includes(values.only))
const tally = new Tally()
const command = join(values.build, 'dist/src/cli/main.js')

await forAll(
  files,
  async (file) => {
    const name = file.split('node_modules/').at(-1) ?? file
    try {
      const sim = await startCommand(command, ['run', file, '--seed', '1'])
      try {
        tally.add(name, await checkSpeech(readText(file), sim.url))
      } finally {
        await sim.stop()
      }
    } catch (error) {
      tally.skip(name, (error as Error).message)
    }
    process.stderr.write(`\r${tally.done} of ${files.length}`)
  },
  Number(values['at-once']),
)
process.stderr.write('\n')
process.stdout.write(tally.text())
if (values.list !== undefined) writeFileSync(values.list, tally.shortcomings.join('\n'))
process.exitCode = tally.isReached ? 0 : 1
