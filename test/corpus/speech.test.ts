import { expect, it } from 'vitest'
import { startSim } from '../flow/sim-process.ts'
import { listedFiles } from './speech/listed.ts'
import { checkSpeech, readText } from './speech/check-speech.ts'
import { sampleOf } from './speech/sample.ts'
import { Tally } from './speech/tally.ts'

it('has descriptions say what they say', async () => {
  const tally = new Tally()
  for (const file of sampleOf(listedFiles(), 20, 1)) {
    const sim = await startSim(['run', file, '--seed', '1'])
    try {
      tally.add(file, await checkSpeech(readText(file), sim.url))
    } finally {
      await sim.stop()
    }
  }
  process.stdout.write(tally.text())
  expect(tally.done).toBe(20)
  expect([tally.examples, tally.parts].every((share) => share >= 0.95)).toBe(true)
})
