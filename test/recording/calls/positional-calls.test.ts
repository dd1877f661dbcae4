import { expect, it } from 'vitest'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { jsonRpc } from '../../../src/recording/protocols/json-rpc.ts'
import { type Entry, samplesOf } from '../inference/samples.ts'

const GIDS = ['43bac06ae38079fa', '64f4991d92302369', 'b8a2c88d4b0491f5', '0ac9f085ec930f55']

let id = 0
const call = (method: string, params: readonly unknown[]): object => ({
  ...{ jsonrpc: '2.0', id: String(id++), method, params: ['token', ...params] },
})
const answered = (method: string, params: readonly unknown[], result: unknown): Entry => {
  const body = call(method, params)
  return ['POST /', { body, response: { ...body, method: undefined, params: undefined, result } }]
}
const failed = (method: string, params: readonly unknown[], message: string): Entry => {
  const body = call(method, params)
  const error = { code: 1, message }
  return ['POST /', { status: 400, body, response: { ...body, method: undefined, params: undefined, error } }]
}
const NAMES = ['one.iso', 'two.zip', 'three.tar', 'four.gz']
const urlOf = (name = ''): string => `http://files.test/${name}`
const statusOf = (at: number): object => ({
  gid: GIDS[at],
  status: 'paused',
  dir: '/data',
  files: [{ path: `/data/${NAMES[at]}`, uris: [{ uri: urlOf(NAMES[at]) }] }],
})
const gidsOf = (...all: readonly number[]): readonly object[] => all.map((at) => ({ gid: GIDS[at] }))

const recordedWith = (...removed: readonly number[]): ReturnType<typeof samplesOf> =>
  samplesOf(
    ...NAMES.map((name, at) => answered('x.addUri', [[urlOf(name)], { out: name }], GIDS[at])),
    ...NAMES.map((_, at) => answered('x.getStatus', [GIDS[at]], statusOf(at))),
    answered('x.getStatus', [GIDS[1], ['gid', 'status']], { gid: GIDS[1], status: 'paused' }),
    failed('x.getStatus', ['0123456789abcdef'], 'GID 0123456789abcdef is not found'),
    answered(
      'x.listWaiting',
      [0, 10],
      NAMES.map((_, at) => statusOf(at)),
    ),
    answered('x.listWaiting', [1, 2, ['gid']], gidsOf(1, 2)),
    ...removed.map((at) => answered('x.remove', [GIDS[at]], GIDS[at])),
    failed('x.remove', ['0123456789abcdef'], 'GID 0123456789abcdef is not found'),
    answered('x.listWaiting', [0, 10], [0, 1, 2, 3].filter((at) => !removed.includes(at)).map(statusOf)),
    failed('x.fly', [], 'No such method: x.fly'),
  )

/** Asks what was inferred, which begins with nothing in it. */
function clientOf(
  recorded = recordedWith(1, 3),
): (method: string, ...params: readonly unknown[]) => Readonly<Record<string, unknown>> {
  const model = inferCalls(recorded, jsonRpc)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (method, ...params) => {
    const body = call(method, params)
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', path: '/', query: {}, headers, body }
    return answerCalls(model, all, request, { seed: String(id), now: 0 })?.body as Record<string, unknown>
  }
}

it('makes what is within an object of the arguments that it was made with', () => {
  const ask = clientOf()
  const { result: gid } = ask('x.addUri', [urlOf('a.deb')], { out: 'a.deb' })
  expect(ask('x.getStatus', gid)).toMatchObject({
    result: { gid, status: 'paused', files: [{ path: '/data/a.deb', uris: [{ uri: urlOf('a.deb') }] }] },
  })
})

it('shows of an object the members that an argument without a name lists', () => {
  const ask = clientOf()
  const { result: gid } = ask('x.addUri', [urlOf('a.deb')], { out: 'a.deb' })
  expect(ask('x.getStatus', gid, ['status'])).toMatchObject({ result: { status: 'paused' } })
})

it('finds the place where a page begins among arguments without names, and sorts by none of them', () => {
  const ask = clientOf()
  const gids = NAMES.map((name) => ask('x.addUri', [urlOf(name)], { out: name })['result'])
  const page = ask('x.listWaiting', 2, 2, ['gid'])
  expect(page['result']).toEqual([{ gid: gids[2] }, { gid: gids[3] }])
})

it('answers the id that was removed where that is all that calls answer', () => {
  const ask = clientOf()
  const { result: gid } = ask('x.addUri', [urlOf('a.deb')], { out: 'a.deb' })
  expect(ask('x.remove', gid)).toMatchObject({ result: gid })
  expect(ask('x.getStatus', gid)).toMatchObject({
    error: { code: 1, message: `GID ${String(gid)} is not found` },
  })
})

it('answers the id that was removed where only one was', () => {
  const ask = clientOf(recordedWith(1))
  const { result: gid } = ask('x.addUri', [urlOf('a.deb')], { out: 'a.deb' })
  expect(ask('x.remove', gid)).toMatchObject({ result: gid })
})

it('refuses methods that nothing was recorded of as one of them was', () => {
  expect(clientOf()('x.swim')).toMatchObject({ error: { code: 1, message: 'No such method: x.swim' } })
})

it('takes the calls of system.multicall apart', () => {
  const ask = clientOf()
  const { result: gid } = ask('x.addUri', [urlOf('a.deb')], { out: 'a.deb' })
  const calls = [gid, 'none'].map((each) => ({
    methodName: 'x.getStatus',
    params: ['token', each, ['gid']],
  }))
  const body = { jsonrpc: '2.0', id: 'm', method: 'system.multicall', params: [calls] }
  const read = jsonRpc.calls?.read({ method: 'POST', path: '/', query: {}, headers: {}, body })
  expect(read?.map(({ name }) => name)).toEqual(['x.getStatus', 'x.getStatus'])
  const error = { code: 1, message: 'GID none is not found' }
  const response = { jsonrpc: '2.0', id: 'm', result: [[{ gid }], error] }
  const outcomes = jsonRpc.calls?.outcomes({ status: 200, body: response }, read ?? [])
  expect(outcomes).toEqual([{ value: { gid } }, { error, status: 200 }])
  const written = jsonRpc.calls?.write(outcomes ?? [], {
    method: 'POST',
    path: '/',
    query: {},
    headers: {},
    body,
  })
  expect(written).toEqual({ status: 200, body: response })
})
