import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkServer } from './check-server.ts'
import { anyDesign, anySteps } from './design.ts'

const SOUND = { unlike: [], invalid: [], drift: [], unstable: [] }

// A few of what `npm run random-servers` tries many of.
it('answers what was recorded of any server as it was, and takes nothing of another session for a break', async () => {
  await fc.assert(
    fc.asyncProperty(anyDesign, anySteps(0, 40), anySteps(0, 30), async (design, steps, others) => {
      expect(await checkServer(design, steps, others)).toEqual(SOUND)
    }),
    { numRuns: 2, interruptAfterTimeLimit: 25_000 },
  )
})

it.each([
  ['what two values made right by chance', 20270175],
  ['items of which a page says only how many there are', 30035],
])('answers as recorded, and the same when inferred again: %s', async (_, seed) => {
  const property = fc.asyncProperty(anyDesign, anySteps(0, 60), anySteps(0, 40), async (...recorded) => {
    expect(await checkServer(...recorded)).toEqual(SOUND)
  })
  await fc.assert(property, { seed, numRuns: 1, endOnFailure: true })
})
