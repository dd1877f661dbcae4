import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { lazy } from '../../engine/lazy.ts'

const collect = lazy(() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})

/**
 * Gives back the memory that is no longer needed. A process that has just gone through a large description holds as much
 * again in what it made on the way, and the engine waits for more of it before it looks.
 */
export function collectGarbage(): void {
  collect()()
}
