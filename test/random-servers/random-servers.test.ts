import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkServer } from './check-server.ts'
import { anyDesign, anySteps } from './design.ts'

// A few of what `npm run random-servers` tries many of.
it('answers what was recorded of any server as it was, and takes nothing of another session for a break', async () => {
  await fc.assert(
    fc.asyncProperty(anyDesign, anySteps(0, 40), anySteps(0, 30), async (design, steps, others) => {
      expect(await checkServer(design, steps, others)).toEqual({
        unlike: [],
        invalid: [],
        drift: [],
        unstable: [],
      })
    }),
    { numRuns: 2, interruptAfterTimeLimit: 25_000 },
  )
})
