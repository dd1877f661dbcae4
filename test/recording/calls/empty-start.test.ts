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

it('lists the names of what was made without an answer, in pages after a name, and keeps what only their readers show', () => {
  const queue = (queueName: string): object => ({
    queue: { queueName, arn: `arn:q:${queueName}`, state: 'open', parts: [{ no: 0 }] },
  })
  const names = (all: readonly string[], hasMore = false): object => ({
    result: { queueNames: all, hasMore },
  })
  const taken = (name: string): object => ({ error: { code: 5, message: `There is ${name}` } })
  const missing = (name: string): object => ({ error: { code: 4, message: `No ${name}` } })
  const answer = serverOf(
    ['listQueues', {}, names([])],
    ['describeQueue', { queueName: 'mail' }, missing('mail')],
    ['createQueue', { queueName: 'mail' }, { result: {} }],
    ['createQueue', { queueName: 'news' }, { result: {} }],
    ['createQueue', { queueName: 'mail' }, taken('mail')],
    ['addTagsToQueue', { queueName: 'mail', tags: { a: 'b' } }, { result: {} }],
    ['describeQueue', { queueName: 'mail' }, { result: queue('mail') }],
    ['listQueues', {}, names(['mail', 'news'])],
    ['listQueues', { limit: 1 }, names(['mail'], true)],
    ['listQueues', { limit: 1, after: 'mail' }, names(['news'])],
    ['deleteQueue', { queueName: 'news' }, { result: {} }],
    ['listQueues', {}, names(['mail'])],
  )
  const call = (...called: Called): unknown => {
    const { result, error } = answer(bodyOf(called, 7)) as { result?: unknown; error?: unknown }
    return error === undefined ? { result } : { error }
  }
  expect(call('listQueues', {})).toEqual(names([]))
  for (const queueName of ['bids', 'asks', 'logs'])
    expect(call('createQueue', { queueName })).toEqual({ result: {} })
  expect(call('createQueue', { queueName: 'asks' })).toEqual(taken('asks'))
  call('addTagsToQueue', { queueName: 'logs', tags: {} })
  expect(call('describeQueue', { queueName: 'logs' })).toEqual({ result: queue('logs') })
  expect(call('listQueues', { limit: 2 })).toEqual(names(['bids', 'asks'], true))
  expect(call('listQueues', { limit: 2, after: 'asks' })).toEqual(names(['logs']))
  call('deleteQueue', { queueName: 'bids' })
  expect(call('listQueues', {})).toEqual(names(['asks', 'logs']))
  expect(call('describeQueue', { queueName: 'bids' })).toEqual(missing('bids'))
})

it('keeps a value that one call sets and another one reads', () => {
  const answer = serverOf(
    ['player.getVolume', {}, { result: 100 }],
    ['player.setVolume', { level: 40 }, { result: true }],
    ['player.getVolume', {}, { result: 40 }],
    ['player.getMode', {}, { result: 'loop' }],
    ['player.setMode', { mode: 'once' }, { result: true }],
    ['player.getMode', {}, { result: 'loop' }],
  )
  const call = (method: string, params = {}): unknown =>
    (answer(bodyOf([method, params], 3)) as { result?: unknown } | undefined)?.result
  expect(call('player.getVolume')).toBe(100)
  expect(call('player.setVolume', { level: 7 })).toBe(true)
  expect(call('player.getVolume')).toBe(7)
  // What later answers do not show is not set.
  call('player.setMode', { mode: 'twice' })
  expect(call('player.getMode')).toBe('loop')
})
