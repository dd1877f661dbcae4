import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'

// `npm run fuzz` has more of them: SIM_FUZZ_CASES at each entry, or at those that SIM_FUZZ_ENTRIES lists.
export const CASES = Number(process.env['SIM_FUZZ_CASES'] ?? 40)
export const SEED = Number(process.env['SIM_FUZZ_SEED'] ?? 1)

const MAX_GROWTH = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Looks at the heap after a fifth of the cases, and again at the end. */
export function createHeapWatch(): { look(): void; check(): void } {
  let count = 0
  let early = 0
  return {
    look() {
      if (++count !== Math.ceil(CASES / 5)) return
      collectGarbage()
      early = process.memoryUsage().heapUsed
    },
    check() {
      collectGarbage()
      expect(process.memoryUsage().heapUsed - early).toBeLessThan(MAX_GROWTH)
    },
  }
}
