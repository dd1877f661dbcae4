import { isObject } from '../../engine/schema/schema.ts'
import type { CallOutcome } from '../../engine/call-model.ts'
import type { CallForm } from '../calls/call.ts'
import type { Sample } from '../inference/sample.ts'
import { MULTICALL, type Protocol, saysNoSuchMethod, textOf } from './protocol.ts'

/** No such method (JSON-RPC 2.0, section 5.1). */
const METHOD_NOT_FOUND = -32601

// A call without an id is a notification, which gets no answer (section 4.1); in a batch, the others do.
const calls: CallForm = {
  read({ body }) {
    const all = callsOf(body)
    const isPart = innerOf(body) !== undefined
    if (!all.every(isCall)) return undefined
    return all.map((each) => {
      const { method, params } = each as Readonly<Record<string, unknown>>
      const args = Array.isArray(params) ? Object.fromEntries((params as unknown[]).entries()) : params
      const call = { name: String(method), args: isObject(args) ? args : {}, ...(isPart && { isPart }) }
      return isNotified(each) ? { ...call, isSilent: true } : call
    })
  },
  outcomes({ body, status }, called) {
    if (called.some(({ isPart }) => isPart === true))
      return outcomesOf(isObject(body) ? body['result'] : undefined, called.length, status)
    const spoken = called.filter(({ isSilent }) => isSilent !== true)
    const answers = spoken.length === 0 ? [] : [body].flat()
    if (answers.length !== spoken.length) return undefined
    return called.map((call) => {
      const each = call.isSilent === true ? {} : answers[spoken.indexOf(call)]
      const { error, result } = isObject(each) ? each : {}
      return error === undefined || error === null ? { value: result } : { error, status }
    })
  },
  write(outcomes, { body }) {
    if (isObject(body) && innerOf(body) !== undefined) {
      const { jsonrpc, id } = body
      const result = outcomes.map(({ value, error }) => (error === undefined ? [value ?? null] : error))
      return { status: 200, body: { jsonrpc, id, result } }
    }
    const answers = [body].flat().flatMap((call, at) => {
      if (isNotified(call)) return []
      // Some clients write the member otherwise, and servers answer them as any other.
      const { 'json-rpc': other, jsonrpc = other, id } = isObject(call) ? call : {}
      const { value, error } = outcomes[at] ?? {}
      const isOld = jsonrpc === undefined
      const said = error === undefined ? { result: value ?? null } : { error }
      return [{ ...(isOld ? { result: null, error: null } : { jsonrpc }), id, ...said }]
    })
    const status = outcomes.find(({ error }) => error !== undefined)?.status ?? 200
    return Array.isArray(body) ? { status: 200, body: answers } : { status, body: answers[0] }
  },
}

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
  calls,
  isUnknown({ response }) {
    const { error } = isObject(response) ? response : {}
    if (!isObject(error)) return false
    return error['code'] === METHOD_NOT_FOUND || saysNoSuchMethod(textOf(error['message']) ?? '')
  },
}

function innerOf(body: unknown): readonly unknown[] | undefined {
  const params = isObject(body) && body['method'] === MULTICALL ? body['params'] : undefined
  const [inner] = Array.isArray(params) ? (params as unknown[]) : []
  return Array.isArray(inner) && inner.every((each) => isObject(each)) ? inner : undefined
}

function callsOf(body: unknown): readonly unknown[] {
  const inner = innerOf(body) as readonly Readonly<Record<string, unknown>>[] | undefined
  return inner?.map(({ methodName, params }) => ({ method: methodName, params, id: null })) ?? [body].flat()
}

function outcomesOf(result: unknown, calls: number, status: number): readonly CallOutcome[] | undefined {
  if (!Array.isArray(result) || result.length !== calls) return undefined
  return result.map((each: unknown) => (Array.isArray(each) ? { value: each[0] } : { error: each, status }))
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value['method'] !== 'string') return false
  return 'jsonrpc' in value || ('params' in value && 'id' in value)
}

function methodOf({ body }: Sample): string | undefined {
  return isObject(body) ? textOf(body['method']) : undefined
}

function isNotification({ body }: Sample): boolean {
  return isNotified(body)
}

function isNotified(call: unknown): boolean {
  return isObject(call) && 'jsonrpc' in call && !('id' in call)
}
