import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { StateUnavailable } from '../../errors.ts'
import { BEHIND_MS, LOCK_WAIT_MS, sendChanges, takesLock, type PartChange } from './change-log.ts'
import { seenGateways } from './examine.ts'
import { commonKeys } from './keys.ts'
import { releaseLease } from './lease.ts'
import { COMMAND_NAME, type StateServer } from './state-server.ts'

const POLL_MS = 50

/**
 * Does something to a state while no gateway makes a change, and has all gateways put in force what follows from it.
 * @returns the names of those that have not done so in time: they answer nothing until they have
 * @throws StateUnavailable where another change takes too long
 */
export async function publishChanges(
  server: StateServer,
  namespace: string,
  work: () => Promise<readonly PartChange[]>,
): Promise<readonly string[]> {
  const keys = commonKeys(namespace)
  const lock = randomUUID()
  const until = performance.now() + LOCK_WAIT_MS
  while (!(await takesLock(server, keys, lock))) {
    if (performance.now() > until)
      throw new StateUnavailable('a gateway has been changing it for more than 5 s')
    await wait(POLL_MS)
  }
  try {
    const changes = await work()
    if (changes.length === 0) return []
    const { version, living } = await sendChanges(server, keys, { lock, by: COMMAND_NAME, changes })
    return await behindAfter(
      server,
      keys.gateways,
      version,
      living.map(({ name }) => name),
    )
  } finally {
    await server.run(releaseLease, [keys.lock], [lock]).catch(() => undefined)
  }
}

// Each says what it has applied when it says that it is there.
async function behindAfter(
  server: StateServer,
  key: string,
  version: number,
  names: readonly string[],
): Promise<readonly string[]> {
  const until = performance.now() + BEHIND_MS
  for (;;) {
    const living = await seenGateways(server, key)
    const behind = living.filter((each) => names.includes(each.name) && each.version < version)
    if (behind.length === 0 || performance.now() > until) return behind.map(({ name }) => name)
    await wait(POLL_MS)
  }
}
