import { forward } from './forward.ts'
import type { Mode } from './mode.ts'
import type { ModeName } from './mode-name.ts'
import { record } from './record.ts'
import { simulate } from './simulate.ts'
import { visitOf } from '../gateway/visit.ts'

/** Those with much code of their own, which few gateways use. */
const LOADERS: Partial<Record<ModeName, () => Promise<Mode>>> = {
  replay: async () => (await import('./replay.ts')).replay,
  spy: async () => (await import('./spy.ts')).spy,
  'new-episodes': async () => (await import('./new-episodes.ts')).newEpisodes,
  diff: async () => (await import('./diff.ts')).diff,
}

/** Those that are loaded. */
const loaded: Partial<Record<ModeName, Mode>> = { simulate, forward, record }

/** Loads modes, so that the first requests in them need not wait. */
export async function loadModes(names: readonly ModeName[]): Promise<void> {
  for (const name of names) {
    const load = LOADERS[name]
    if (load !== undefined) loaded[name] ??= await load()
  }
}

/** Answers a request in the mode that was chosen for it. */
export const answerByMode: Mode = (request, reply, answerers) => {
  const { mode } = visitOf(request)
  const answer = loaded[mode]
  return answer === undefined
    ? loadModes([mode]).then(() => loaded[mode]?.(request, reply, answerers))
    : answer(request, reply, answerers)
}
