import type { Replays } from '../replays.ts'
import { createReplays } from '../replays.ts'
import type { LoadContext } from './load.ts'

export interface SharedReplays {
  run<Result>(work: (replays: Replays) => Promise<Result>): Promise<Result>
  drop(): void
}
export function createSharedReplays(_context: LoadContext): SharedReplays {
  const replays = createReplays()
  return { run: (work) => work(replays), drop: () => replays.reset() }
}
