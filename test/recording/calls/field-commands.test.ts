import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { findOperations } from '../../../src/recording/inference/operations.ts'
import { fieldCommands } from '../../../src/recording/protocols/field-commands.ts'
import { sample } from '../inference/samples.ts'

type Fields = Readonly<Record<string, string>>

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TOKEN = '5f0c2a9b7d1e+'
let index = 0
const get = (fields: Fields, response: object) =>
  sample(index++, `GET /api?${new URLSearchParams(fields).toString()}`, { response })
const post = (body: Fields, response: object, code = '') => ({
  ...sample(index++, 'POST /api', { body, response }, FORM),
  ...(code !== '' && { responseHeaders: { 'x-error': code } }),
})
const failed = (code: string) => ({ error: { code, info: `Failed: ${code}.` } })

/** A note of the server, as it is read. */
const noteOf = (noteid: number, title: string, text: string, rev = noteid) => ({
  ...{ noteid, title },
  body: { rev, size: text.length, text: { content: text } },
})
const made = (noteid: number, title: string, newrev = noteid) => ({
  edit: { new: true, result: 'ok', noteid, title, oldrev: 0, newrev },
})
const [TEA, COFFEE, MATE] = [
  ['Tea', 'Tea is hot.'],
  ['Coffee', 'Coffee is strong.'],
  ['Mate', 'Mate is green.'],
] as const
const edit = (title: string, text: string, more: Fields = {}): Fields => ({
  ...{ action: 'edit', title, text, token: TOKEN },
  ...more,
})
const read = (...titles: string[]): Fields => ({
  ...{ action: 'query', prop: 'body', titles: titles.join('|'), format: 'json' },
})
const list = (more: Fields = {}): Fields => ({ action: 'query', list: 'allnotes', ...more })
const notes = (...all: object[]) => ({ query: { notes: all } })
const named = (...all: (readonly [number, string])[]) => ({
  query: { allnotes: all.map(([noteid, title]) => ({ noteid, title })) },
})
const NONE = (title: string) => ({ title, missing: true })

const RECORDED = [
  get(read('Tea'), notes(NONE('Tea'))),
  post(edit(...TEA, { only: '1' }), made(2, 'Tea')),
  post(edit(...COFFEE, { only: '1' }), made(3, 'Coffee')),
  post(edit(...MATE, { only: '1' }), made(4, 'Mate')),
  post(edit('Tea', 'x', { only: '1' }), failed('exists'), 'exists'),
  post(edit('Tea', 'x', { token: 'nonsense-1' }), failed('badtoken'), 'badtoken'),
  get(read('Tea'), notes(noteOf(2, ...TEA))),
  get(read('Coffee'), notes(noteOf(3, ...COFFEE))),
  get(read('Tea', 'Coffee'), notes(noteOf(2, ...TEA), noteOf(3, ...COFFEE))),
  get(read('Nowhere'), notes(NONE('Nowhere'))),
  get(list(), named([3, 'Coffee'], [1, 'Main'], [4, 'Mate'], [2, 'Tea'])),
  get(list({ prefix: 'M' }), named([1, 'Main'], [4, 'Mate'])),
  get(list({ alimit: '2' }), { continue: { from: 'Mate', more: '-' }, ...named([3, 'Coffee'], [1, 'Main']) }),
  get(list({ alimit: '2', from: 'Mate' }), named([4, 'Mate'], [2, 'Tea'])),
  get(
    { action: 'query', list: 'about', topic: 'strong' },
    { query: { about: [{ noteid: 3, title: 'Coffee' }] } },
  ),
  post(edit('Tea', 'Now other.'), { edit: { result: 'ok', noteid: 2, title: 'Tea', oldrev: 2, newrev: 5 } }),
  get(read('Tea'), notes(noteOf(2, 'Tea', 'Now other.', 5))),
  post(edit('Tea', 'Now other.'), { edit: { result: 'ok', noteid: 2, title: 'Tea', same: true } }),
  post({ action: 'move', from: 'Tea', to: 'Green tea' }, { move: { from: 'Tea', to: 'Green tea' } }),
  get(read('Green tea'), notes(noteOf(2, 'Green tea', 'Now other.', 5))),
  post({ action: 'delete', title: 'Mate', reason: 'old' }, { delete: { title: 'Mate', reason: 'old' } }),
  post({ action: 'delete', title: 'Nowhere' }, failed('nonote'), 'nonote'),
  get(read('Mate'), notes(NONE('Mate'))),
]

it('distinguishes commands by fields of the query and of forms', () => {
  const operations = ['GET', 'POST'].flatMap((method) =>
    findOperations(RECORDED.filter((each) => each.method === method)),
  )
  expect(operations.map(({ name }) => name)).toEqual([
    ...['query.body', 'query.allnotes', 'query.about', 'edit', 'move', 'delete'],
  ])
  expect(operations[1]?.when).toEqual([
    { query: 'action', equals: 'query' },
    { query: 'list', equals: 'allnotes' },
  ])
  expect(operations[3]?.when).toEqual({ form: 'action', equals: 'edit' })
})

it('leaves alone lists that a field filters', () => {
  const logs = ['login', 'logout'].map((action) => get({ action }, [{ id: 1, action }]))
  expect(logs.some((each) => fieldCommands.speaks(each))).toBe(false)
})

it('remembers what is edited, renamed and deleted by its title, whatever its number', () => {
  const model = inferCalls(RECORDED, fieldCommands)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const send = (method: string, fields: Fields) => {
    const request = method === 'GET' ? { query: fields } : { query: {}, body: fields }
    return answerCalls(model, all, { method, headers: {}, ...request }, { seed: '', now: 0 })
  }
  const [queried, sent] = ['GET', 'POST'].map((method) => (fields: Fields) => send(method, fields)?.body) as [
    (fields: Fields) => unknown,
    (fields: Fields) => unknown,
  ]
  expect(queried(list())).toEqual(named([1, 'Main']))
  expect(sent(edit('Oak', 'A tree.', { only: '1' }))).toEqual(made(2, 'Oak'))
  expect(sent(edit('Pine', 'Another.'))).toEqual(made(3, 'Pine'))
  expect(send('POST', edit('Oak', 'B', { only: '1' }))).toMatchObject({
    ...{ status: 200, headers: { 'x-error': 'exists' }, body: failed('exists') },
  })
  expect(sent(edit('Oak', 'B', { token: 'guessed-token' }))).toEqual(failed('badtoken'))
  expect(queried(read('Pine', 'Elm'))).toEqual(notes(NONE('Elm'), noteOf(3, 'Pine', 'Another.')))
  expect(queried(list({ alimit: '2' }))).toEqual({
    ...{ continue: { from: 'Pine', more: '-' }, ...named([1, 'Main'], [2, 'Oak']) },
  })
  expect(queried(list({ alimit: '2', from: 'Pine' }))).toEqual(named([3, 'Pine']))
  expect(queried(list({ prefix: 'O' }))).toEqual(named([2, 'Oak']))
  expect(queried({ action: 'query', list: 'about', topic: 'another' })).toEqual({
    query: { about: [{ noteid: 3, title: 'Pine' }] },
  })
  expect(sent(edit('Oak', 'Old.'))).toEqual({
    edit: { result: 'ok', noteid: 2, title: 'Oak', oldrev: 2, newrev: 4 },
  })
  expect(sent(edit('Oak', 'Old.'))).toEqual({ edit: { result: 'ok', noteid: 2, title: 'Oak', same: true } })
  expect(sent({ action: 'move', from: 'Oak', to: 'Holm oak' })).toEqual({
    move: { from: 'Oak', to: 'Holm oak' },
  })
  expect(queried(read('Holm oak', 'Oak'))).toEqual(notes(NONE('Oak'), noteOf(2, 'Holm oak', 'Old.', 4)))
  expect(sent({ action: 'delete', title: 'Pine', reason: 'done' })).toEqual({
    delete: { title: 'Pine', reason: 'done' },
  })
  expect(sent({ action: 'delete', title: 'Pine' })).toEqual(failed('nonote'))
})

it('answers an empty list where nothing is left, though none was ever empty', () => {
  const boxes = [1, 2].map((id) => ({ id, title: `Box ${id}` }))
  const call = (action: string, body: object, response: object) =>
    sample(index++, `POST /call?action=${action}`, { body, response })
  const model = inferCalls(
    [
      call('listBoxes', {}, { boxes }),
      call('getBox', { id: 1 }, { box: boxes[0] }),
      call('deleteBox', { id: 1 }, {}),
      call('listBoxes', {}, { boxes: boxes.slice(1) }),
    ],
    fieldCommands,
  )
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const ask = (action: string, body: object): unknown =>
    answerCalls(model, all, { method: 'POST', headers: {}, query: { action }, body }, { seed: '', now: 0 })
      ?.body
  for (const { id } of boxes) expect(ask('deleteBox', { id })).toEqual({})
  expect(ask('listBoxes', {})).toEqual({ boxes: [] })
})
