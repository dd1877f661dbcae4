import type { CallModel } from '../../engine/call-model.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import { protocolCalled } from '../protocols/protocols.ts'
import type { Answered, CallRequest } from './call.ts'
import type { Objects } from './objects.ts'
import { enclosed } from './envelope.ts'
import { restoreIssued } from './issued-numbers.ts'
import { performCall } from './perform.ts'

/**
 * The answer to a request by what its calls do to the objects; `undefined` where the model does not say it, and nothing
 * has changed then.
 */
export function answerCalls(
  model: CallModel,
  all: ReadonlyMap<string, Objects>,
  request: CallRequest,
  fresh: Fresh,
): Answered | undefined {
  const form = protocolCalled(model.protocol)?.calls
  const calls = form?.read(request)
  if (form === undefined || calls === undefined || calls.length === 0) return undefined
  const perform = form.semantics?.perform ?? performCall
  const [some] = all.values()
  const issued = [...(some?.changes.issued ?? [])]
  const before = [...all.values()].map((objects) => ({
    objects,
    greatest: objects.greatest,
    past: objects.history.length,
    count: objects.changes.now,
  }))
  for (const { objects } of before) {
    objects.items.begin()
    objects.changes.isAdvanced = false
  }
  const outcomes = calls.map(
    (call) => perform(model, all, call, fresh) ?? (call.isSilent === true ? {} : undefined),
  )
  // What is never answered is done, and the route says what comes in place of an answer.
  if (calls.every(({ isSilent }) => isSilent === true)) return undefined
  if (outcomes.every((outcome) => outcome !== undefined)) {
    const written = form.write(
      outcomes.map((outcome, at) => enclosed(model, all, calls[at]?.name ?? '', outcome)),
      request,
    )
    const [{ headers } = {}, ...others] = outcomes
    const isOwn = headers !== undefined && others.length === 0
    return isOwn ? { ...written, headers: { ...headers, ...written.headers } } : written
  }
  for (const { objects, greatest, past, count } of before) {
    objects.items.undo()
    objects.greatest = greatest
    objects.history.length = past
    objects.changes.now = count
    restoreIssued(objects.changes, issued)
  }
  return undefined
}
