import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from './failure.ts'
import type { World } from './world.ts'

/**
 * Has the faults of a point befall a request of an operation: it waits, then fails if it is to.
 * Rejects when nobody waits for the answer any more.
 */
export async function befall<State>(
  world: Pick<World<State>, 'faults' | 'turns'>,
  operation: string,
  when: 'before' | 'after',
  signal: AbortSignal | undefined,
): Promise<void> {
  const { waitMs, failure } = world.faults.meet(operation, when)
  const wait = waitMs > 0 ? sleep(waitMs, undefined, { ...(signal !== undefined && { signal }) }) : undefined
  await (when === 'before' ? inTurn(world.turns, operation, wait) : wait)
  if (failure !== undefined) fail(failure)
}

// Whatever each of them waits, requests of one operation reach their handler in the order they came.
async function inTurn(
  turns: Map<string, Promise<unknown>>,
  operation: string,
  wait: Promise<void> | undefined,
): Promise<void> {
  const last = turns.get(operation)
  if (last === undefined && wait === undefined) return
  const turn = Promise.allSettled([last, wait])
  turns.set(operation, turn)
  await turn
  if (turns.get(operation) === turn) turns.delete(operation)
  await wait
}
