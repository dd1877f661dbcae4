import { setImmediate } from 'node:timers/promises'

const MAX_HELD_MS = 10

/** What lets others have their turn where work that waits for nothing has gone on for a while. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < MAX_HELD_MS) return undefined
    return setImmediate().then(() => void (since = performance.now()))
  }
}
