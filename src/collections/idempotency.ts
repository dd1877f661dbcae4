import type { ItemOption } from '../engine/route-options.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Store } from '../state/store.ts'
import type { Outcome } from './outcome.ts'

/**
 * Makes what does a request once for each key that its header has, and answers all others with that key as the first one was
 * answered; what was refused may be tried again.
 * @param path of the collection that is changed, beside which the answers are kept
 */
export function createOnceForKey(
  option: ItemOption['idempotent'],
  maxItems: number,
): ((request: HttpRequest, path: string, store: Store, run: () => Outcome) => Outcome) | undefined {
  if (option === undefined) return undefined
  const { header, headers } = option
  return (request, path, store, run) => {
    const key = request.headers[header]
    if (typeof key !== 'string' || key === '') return run()
    const answers = store.collection(`${path}/__${header}`)
    const name = `${request.method} ${request.path} ${key}`
    const first = answers.get(name)
    if (first !== undefined) {
      const { status, body } = first
      const isHeaders = isObject(first['headers']) ? (first['headers'] as Outcome['headers']) : undefined
      return {
        body,
        headers: { ...isHeaders, ...headers },
        ...(typeof status === 'number' && { status }),
      }
    }
    const outcome = run()
    const { body, status } = outcome
    // A copy, since what is answered may be changed later.
    const kept = {
      body,
      ...(status !== undefined && { status }),
      ...(outcome.headers && { headers: outcome.headers }),
    }
    if (answers.size < maxItems) answers.set(name, structuredClone(kept))
    return outcome
  }
}
