import { forwardTo } from './forward.ts'
import type { Mode } from './mode.ts'
import { lookUp, notRecorded, sendRecorded } from './replay.ts'

/** What is recorded is replayed, everything else goes to its upstream. */
export const spy: Mode = async (exchange, parts) => {
  const { found, target, body } = await lookUp(exchange, parts)
  if (found.kind === 'answer') return sendRecorded(exchange, parts, found, target)
  if (target === undefined) throw await notRecorded(exchange, found)
  return forwardTo(target, exchange, parts, { body: body.rewind() })
}

/** What is recorded is replayed, everything else goes to its upstream and is saved, to be replayed from then on. */
export const newEpisodes: Mode = async (exchange, parts) => {
  const recorder = await parts.recorders.newEpisodes()
  // What ended before this request came is there to be found.
  if ((recorder?.counts().backlogBytes ?? 0) > 0) await recorder?.flush()
  return spy(exchange, { ...parts, recorder })
}
