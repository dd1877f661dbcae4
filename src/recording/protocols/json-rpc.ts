import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from '../inference/sample.ts'
import { type Protocol, textOf } from './protocol.ts'

/** No such method (JSON-RPC 2.0, section 5.1). */
const METHOD_NOT_FOUND = -32601

/** JSON-RPC 2.0, and 1.0 by its parameters and id. A notification is another operation, since it gets no answer. */
export const jsonRpc: Protocol = {
  name: 'JSON-RPC',
  speaks: ({ body, response }) => [body].flat().some(isCall) || (isObject(response) && 'jsonrpc' in response),
  operations(samples) {
    const notified = new Set(samples.filter(isNotification).map(methodOf))
    return (sample) => {
      const { body } = sample
      // All calls of a batch are answered together.
      if (Array.isArray(body)) return { name: 'batch', when: { pointer: '/0/jsonrpc' } }
      const method = methodOf(sample)
      if (method === undefined) return undefined
      const when = { pointer: '/method', equals: method }
      if (isNotification(sample)) return { name: `${method}.notification`, when }
      return { name: method, when: notified.has(method) ? [when, { pointer: '/id' }] : when }
    }
  },
  isUnknown: ({ response }) =>
    isObject(response) && isObject(response['error']) && response['error']['code'] === METHOD_NOT_FOUND,
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value['method'] !== 'string') return false
  return 'jsonrpc' in value || ('params' in value && 'id' in value)
}

function methodOf({ body }: Sample): string | undefined {
  return isObject(body) ? textOf(body['method']) : undefined
}

function isNotification({ body }: Sample): boolean {
  return isObject(body) && 'jsonrpc' in body && !('id' in body)
}
