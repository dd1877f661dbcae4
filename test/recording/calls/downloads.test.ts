import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { jsonCommands } from '../../../src/recording/protocols/json-commands.ts'
import { type Entry, samplesOf } from '../inference/samples.ts'

const HASHES = [
  'a1b2c3d4e5f6a7b8c9d0',
  'b1b2c3d4e5f6a7b8c9d1',
  'c1b2c3d4e5f6a7b8c9d2',
  'd1b2c3d4e5f6a7b8c9d3',
]
const file = (id: number, name = `no-${id}.iso`) => ({ id, name, hash: HASHES[id - 1] ?? '' })
const linkTo = ({ name, hash }: ReturnType<typeof file>): object => ({
  url: `magnet:?xt=urn:x:${hash}&dn=${name}`,
})
const said = (method: string, args: object, answer: object): Entry => [
  'POST /rpc',
  { body: { method, arguments: args }, response: { arguments: answer, result: 'success' } },
]
const whole = (id: number, limit = 100) => ({ ...file(id), done: 0, limit })
const SETTINGS = { 'max-down': 100, 'max-up': 50, dir: '/data' }

const RECORDED = samplesOf(
  said('file-stats', {}, { files: 0, all: { time: 0 }, speed: 0 }),
  said('settings-get', {}, SETTINGS),
  ...[1, 2, 3].map((id) => said('file-add', linkTo(file(id)), { added: file(id) })),
  said('file-add', linkTo(file(2)), { duplicate: file(2) }),
  [
    'POST /rpc',
    { body: { method: 'file-add', arguments: { url: 'what?' } }, response: { result: 'no link' } },
  ],
  said('file-stats', {}, { files: 3, all: { time: 1 }, speed: 0 }),
  said('file-set', { ids: [1], limit: 30 }, {}),
  said(
    'file-get',
    { fields: ['id', 'name', 'hash', 'done', 'limit'] },
    { files: [whole(1, 30), whole(2), whole(3)] },
  ),
  said('file-get', { ids: [2], fields: ['id', 'limit'] }, { files: [{ id: 2, limit: 100 }] }),
  said('file-get', { ids: [HASHES[2]], fields: ['id', 'name'] }, { files: [{ id: 3, name: 'no-3.iso' }] }),
  said('settings-set', { 'max-up': 70 }, {}),
  said('settings-get', { fields: ['max-up'] }, { 'max-up': 70 }),
)

function asking(): (method: string, args: object) => unknown {
  const model = inferCalls(RECORDED, jsonCommands)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (method, args) => {
    const body = { method, arguments: args }
    const answer = answerCalls(model, all, { headers: {}, query: {}, body }, { seed: '', now: 0 })?.body
    return (answer as { arguments?: unknown } | undefined)?.arguments
  }
}

it('makes what a link says, once, with all that others are listed with', () => {
  const ask = asking()
  const [one, other] = [file(1, 'film.mkv'), { ...file(2), name: 'song.ogg', hash: HASHES[3] ?? '' }]
  expect(ask('file-add', linkTo(one))).toEqual({ added: one })
  expect(ask('file-add', linkTo(other))).toEqual({ added: other })
  expect(ask('file-add', linkTo(one))).toEqual({ duplicate: one })
  expect(ask('file-add', { url: 'nonsense' })).toBeUndefined()
  const fields = ['id', 'name', 'limit']
  expect(ask('file-get', { fields })).toEqual({
    files: [one, other].map(({ id, name }) => ({ id, name, limit: 100 })),
  })
  // Whatever of them names it.
  expect(ask('file-get', { ids: [other.hash], fields })).toEqual({
    files: [{ id: 2, name: 'song.ogg', limit: 100 }],
  })
})

it('says how many there are', () => {
  const ask = asking()
  expect(ask('file-add', linkTo(file(4)))).toEqual({ added: { ...file(4), id: 1 } })
  expect(ask('file-stats', {})).toMatchObject({ files: 1, speed: 0 })
})

it('keeps settings, which one call reads and another one changes', () => {
  const ask = asking()
  expect(ask('settings-set', { 'max-down': 7, dir: '/tmp' })).toEqual({})
  expect(ask('settings-get', {})).toEqual({ ...SETTINGS, 'max-down': 7, dir: '/tmp' })
  expect(ask('settings-get', { fields: ['dir'] })).toEqual({ dir: '/tmp' })
})
