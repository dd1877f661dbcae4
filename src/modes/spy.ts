import { forwardTo, targetOf } from './forward.ts'
import type { Mode } from './mode.ts'
import { lookUp, notRecorded, sendRecorded } from './replay.ts'

/** What is recorded is replayed, everything else goes to its upstream. */
export const spy: Mode = async (request, reply, answerers) => {
  const { found, body } = await lookUp(request, answerers)
  if (found.kind === 'answer') return sendRecorded(request, reply, found)
  const target = targetOf(request, answerers)
  if (target === undefined) throw await notRecorded(request, found)
  return forwardTo(target, request, reply, answerers, { body: body.again() })
}
