import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { lazy } from './lazy.ts'

const collect = lazy(() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})

/** The bytes that were in use when garbage was collected last. */
let left = 0

/**
 * Gives back the memory that is no longer needed. A process that has just gone through a large description or a long
 * recording holds as much again in what it made on the way, and V8 waits for more of it before it looks.
 * @param grown how many more bytes are to be in use than after the last time; with fewer, nothing is done
 */
export function collectGarbage(grown = 0): void {
  if (usedBytes() - left < grown) return
  collect()()
  left = usedBytes()
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
