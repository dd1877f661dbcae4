import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { jsonRpc } from '../../../src/recording/protocols/json-rpc.ts'
import { xmlRpc } from '../../../src/recording/protocols/xml-rpc.ts'
import { samplesOf } from '../inference/samples.ts'

type Called = readonly [method: string, ...params: readonly string[]]

/** A store of texts and lists by keys, which answers these, keys and whether it did something, and no objects. */
function createStore(): (called: Called) => unknown {
  const texts = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  return ([method, key = '', text = '']) => {
    if (method === 'kv.put') return texts.set(key, text) && true
    if (method === 'kv.get') return texts.get(key)
    if (method === 'kv.delete') return texts.delete(key)
    if (method === 'kv.exists') return texts.has(key)
    if (method === 'kv.keys') return [...texts.keys()].filter((each) => each.startsWith(key))
    if (method === 'list.items') return lists.get(key) ?? []
    if (method === 'list.push') return lists.set(key, [...(lists.get(key) ?? []), text]).get(key)?.length
    const before = texts.get(key)
    if (method === 'kv.append')
      return before === undefined ? before : texts.set(key, before + text).get(key)?.length
    if (method === 'kv.rename')
      return before === undefined ? before : texts.delete(key) && texts.set(text, before) && true
    return texts.size
  }
}

/** What a client does, with keys and texts of its own. */
function callsWith(keys: readonly [string, string, string], word: string): readonly Called[] {
  const [a, b, c] = keys
  return [
    ['kv.get', b],
    ['kv.exists', a],
    ['kv.keys', ''],
    ['kv.size'],
    ...keys.map((key): Called => ['kv.put', key, `${word} of ${key}`]),
    ...keys.map((key): Called => ['kv.get', key]),
    ['kv.keys', ''],
    ['kv.keys', a.slice(0, 2)],
    ['kv.size'],
    ['kv.put', b, `other ${word}`],
    ['kv.get', b],
    ['kv.append', b, ' indeed'],
    ['kv.get', b],
    ['kv.append', `no ${b}`, ' indeed'],
    ['kv.rename', b, `new ${b}`],
    ['kv.get', `new ${b}`],
    ['kv.get', b],
    ['kv.keys', ''],
    ['list.items', a],
    ...keys.flatMap((key): Called[] => [
      ['list.push', a, `${word} ${key}`],
      ['list.items', a],
    ]),
    ['list.push', b, word],
    ['list.items', b],
    ['kv.exists', a],
    ['kv.delete', a],
    ['kv.delete', a],
    ['kv.exists', a],
    ['kv.get', a],
    ['kv.keys', ''],
    ['kv.delete', c],
    ['kv.keys', ''],
  ]
}

const JSON_RPC = {
  protocol: jsonRpc,
  call: ([method, ...params]: Called) => ({ jsonrpc: '2.0', id: 1, method, params }),
  answer: (result: unknown) =>
    result === undefined
      ? { jsonrpc: '2.0', id: 1, error: { code: 7, message: 'No such key' } }
      : { jsonrpc: '2.0', id: 1, result },
}

const param = (value: string): string => `<param><value>${value}</value></param>`
function written(value: unknown): string {
  if (Array.isArray(value))
    return `<array><data>${value.map((each) => `<value>${written(each)}</value>`).join('')}</data></array>`
  if (typeof value === 'boolean') return `<boolean>${value ? 1 : 0}</boolean>`
  return typeof value === 'number' ? `<int>${value}</int>` : `<string>${String(value)}</string>`
}
const XML_RPC = {
  protocol: xmlRpc,
  call: ([method, ...params]: Called) =>
    `<methodCall><methodName>${method}</methodName><params>${params
      .map((each) => param(written(each)))
      .join('')}</params></methodCall>`,
  answer: (result: unknown) =>
    result === undefined
      ? `<methodResponse><fault><value><string>No such key</string></value></fault></methodResponse>`
      : `<methodResponse><params>${param(written(result))}</params></methodResponse>`,
}

it.each([
  ['JSON-RPC', JSON_RPC, []],
  ['XML-RPC', XML_RPC, []],
  ['XML-RPC, where an unknown key has an empty text', XML_RPC, ['']],
] as const)('%s: answers the values that were put by other keys', (_, { protocol, call, answer }, [none]) => {
  const recorded = (calls: readonly Called[]): Sample[] => {
    const ask = createStore()
    return samplesOf(
      ...calls.map((called): [string, object] => [
        'POST /rpc',
        { body: call(called), response: answer(ask(called) ?? none) },
      ]),
    )
  }
  const model = inferCalls(recorded(callsWith(['ash', 'asp', 'oak'], 'leaf')), protocol)
  if (model === undefined) throw new Error('Nothing was inferred')
  const objects = createObjects(model)
  for (const { body, response } of recorded(callsWith(['red', 'rose', 'blue'], 'shade'))) {
    const request = { path: '/rpc', query: {}, headers: {}, body }
    expect([body, answerCalls(model, objects, request, { seed: '', now: 0 })]).toEqual([
      body,
      { status: 200, body: response },
    ])
  }
})
