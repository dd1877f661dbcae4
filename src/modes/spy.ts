import { StateElsewhere } from '../errors.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { lookingAt } from '../state/replays.ts'
import { forwardTo } from './forward.ts'
import type { Mode, ModeParts } from './mode.ts'
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
  const { shared } = parts.recorders
  if (shared?.isHeld === false) return recorded(exchange, parts)
  const recorder = await parts.recorders.newEpisodes()
  // What ended before this request came is there to be found.
  if ((recorder?.counts().backlogBytes ?? 0) > 0) await recorder?.flush()
  return spy(exchange, { ...parts, recorder })
}

/** Whether a request would be answered from the recording. What cannot be looked up is left to who answers it. */
export function isRecorded(exchange: Exchange, parts: ModeParts): Promise<boolean> {
  return lookUp(exchange, parts, { view: lookingAt }).then(
    ({ found }) => found.kind === 'answer',
    () => false,
  )
}

// What is recorded needs nobody who writes.
async function recorded(exchange: Exchange, parts: ModeParts): Promise<HttpResponse> {
  const { found, target } = await lookUp(exchange, parts)
  if (found.kind === 'answer') return sendRecorded(exchange, parts, found, target)
  throw new StateElsewhere('another gateway has given its last recorded answer meanwhile', 1)
}
