import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { jsonRpc } from '../../../src/recording/protocols/json-rpc.ts'
import { samplesOf } from '../inference/samples.ts'

type Called = readonly [method: string, params: object, answer?: object]

const bodyOf = ([method, params]: Called, id: number): object => ({ jsonrpc: '2.0', id, method, params })

/** What a server that began with nothing answers, as a recording of calls shows it; calls without an answer are silent. */
function serverOf(...recorded: readonly Called[]): (body: unknown) => unknown {
  const samples = samplesOf(
    ...recorded.map((each, at): [string, object] => {
      const [method, params, answer] = each
      const body = answer === undefined ? { jsonrpc: '2.0', method, params } : bodyOf(each, at)
      const response = answer && { jsonrpc: '2.0', id: at, ...answer }
      return ['POST /', { body, ...(response && { response }) }]
    }),
  )
  const model = inferCalls(samples, jsonRpc)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (body) => answerCalls(model, all, { headers: {}, query: {}, body }, { seed: '', now: 0 })?.body
}

const note = (id: number, text: string, done = false): object => ({ id, text, done, kind: 'plain' })
const none = (id: number): object => ({ error: { code: 4, message: `No note ${id}`, data: { id } } })

it('makes ids from the first that was recorded, in their type, whether a call is answered or not', () => {
  const answer = serverOf(
    ['notes.list', {}, { result: { items: [], total: 0 } }],
    ['sum', { a: 11, b: 12 }, { result: 23 }],
    ['notes.add', { text: 'Sow' }, { result: note(11, 'Sow') }],
    ['notes.add', { text: 'Reap' }, { result: note(12, 'Reap') }],
    ['notes.add', { text: 'Rest' }],
    ['notes.finish', { id: 12 }, { result: note(12, 'Reap', true) }],
    ['notes.list', { done: true }, { result: { items: [note(12, 'Reap', true)], total: 1 } }],
    ['notes.list', { done: false }, { result: { items: [note(11, 'Sow'), note(13, 'Rest')], total: 2 } }],
    ['notes.get', { id: 99 }, none(99)],
    ['notes.get', { id: 11 }, { result: note(11, 'Sow') }],
  )
  const call = (...called: Called): unknown => {
    const { result, error } = answer(bodyOf(called, 7)) as { result?: unknown; error?: unknown }
    return result ?? { error }
  }
  expect(call('notes.list', {})).toEqual({ items: [], total: 0 })
  expect(answer({ jsonrpc: '2.0', method: 'notes.add', params: { text: 'Till' } })).toBeUndefined()
  const silent = { jsonrpc: '2.0', method: 'notes.add', params: { text: 'Mow' } }
  expect(answer([silent, bodyOf(['notes.add', { text: 'Rake' }], 8)])).toEqual([
    { jsonrpc: '2.0', id: 8, result: note(13, 'Rake') },
  ])
  expect(call('notes.finish', { id: 12 })).toEqual(note(12, 'Mow', true))
  const open = { items: [note(11, 'Till'), note(13, 'Rake')], total: 2 }
  expect(call('notes.list', { done: false })).toEqual(open)
  expect(call('notes.get', { id: 55 })).toEqual(none(55))
})
