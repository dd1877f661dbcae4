import { describe, expect, it } from 'vitest'
import { isPatchDocument, patchedItem } from '../../src/collections/patch-document.ts'
import { createGateway } from '../../src/gateway.ts'
import { SimAPI } from '../../src/index.ts'

const USER = {
  id: '7',
  name: { given: 'Ada', family: 'King' },
  emails: [
    { value: 'a@home.test', type: 'home' },
    { value: 'a@work.test', type: 'work' },
  ],
  tags: ['x'],
}
const scim = (...Operations: readonly object[]): object => ({
  ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations },
})

describe('JSON Patch', () => {
  it.each<[string, readonly object[], object]>([
    ['adds', [{ op: 'add', path: '/title', value: 'Dr' }], { ...USER, title: 'Dr' }],
    [
      'adds to the end of a list',
      [{ op: 'add', path: '/tags/-', value: 'y' }],
      { ...USER, tags: ['x', 'y'] },
    ],
    ['adds within a list', [{ op: 'add', path: '/tags/0', value: 'y' }], { ...USER, tags: ['y', 'x'] }],
    [
      'removes an item of a list',
      [{ op: 'remove', path: '/emails/0' }],
      { ...USER, emails: [USER.emails[1]] },
    ],
    [
      'replaces within',
      [{ op: 'replace', path: '/name/given', value: 'B' }],
      { ...USER, name: { given: 'B', family: 'King' } },
    ],
    [
      'moves',
      [{ op: 'move', from: '/tags', path: '/labels' }],
      { id: '7', name: USER.name, emails: USER.emails, labels: ['x'] },
    ],
    [
      'copies, once a test holds',
      [
        { op: 'test', path: '/id', value: '7' },
        { op: 'copy', from: '/id', path: '/name/id' },
      ],
      { ...USER, name: { ...USER.name, id: '7' } },
    ],
  ])('%s', (_, document, wanted) => {
    expect(isPatchDocument(document)).toBe(true)
    expect(patchedItem(USER, document)).toEqual(wanted)
  })

  it.each([
    { op: 'test', path: '/id', value: '8' },
    { op: 'replace', path: '/none', value: 1 },
    { op: 'remove', path: '/tags/4' },
    { op: 'swap', path: '/id' },
  ])('refuses %o', (step) => {
    expect(() => patchedItem(USER, [step])).toThrow('body.0: Value must be a change that can be done')
  })
})

describe('PatchOp of SCIM', () => {
  it.each<[string, object, object]>([
    [
      'adds to a list what is not there',
      { op: 'Add', path: 'tags', value: ['x', 'y'] },
      { ...USER, tags: ['x', 'y'] },
    ],
    [
      'replaces within',
      { op: 'replace', path: 'name.given', value: 'B' },
      { ...USER, name: { given: 'B', family: 'King' } },
    ],
    [
      'takes members without a path',
      { op: 'replace', value: { tags: [], active: false } },
      { ...USER, tags: [], active: false },
    ],
    [
      'removes what a filter chooses',
      { op: 'remove', path: 'emails[type eq "work"]' },
      { ...USER, emails: [USER.emails[0]] },
    ],
    [
      'changes what a filter chooses',
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'b' },
      { ...USER, emails: [{ value: 'b', type: 'home' }, USER.emails[1]] },
    ],
    [
      'removes',
      { op: 'remove', path: 'urn:ietf:params:scim:schemas:core:2.0:User:tags' },
      { id: '7', name: USER.name, emails: USER.emails },
    ],
  ])('%s', (_, step, wanted) => {
    expect(isPatchDocument(scim(step))).toBe(true)
    expect(patchedItem(USER, scim(step))).toEqual(wanted)
  })

  it.each([
    { op: 'swap', path: 'tags' },
    { op: 'remove', value: {} },
    { op: 'add', path: '[', value: 1 },
  ])('refuses %o', (step) => {
    expect(() => patchedItem(USER, scim(step))).toThrow('can be done')
  })
})

it('is what a PATCH of a stored item does, and nothing else has such a form', async () => {
  expect(
    [{ tags: ['x'] }, [], [{ op: 1, path: '/a' }], { Operations: [{ op: 'add' }] }].filter(isPatchDocument),
  ).toEqual([])
  const model = {
    type: 'object',
    properties: { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['id', 'tags'],
  }
  const api = new SimAPI({ seed: 1, stateful: true })
  const { required: _, ...input } = model
  api.post('/users', { input: model, output: model }).patch('/users/{id}', { input, output: model })
  const app = createGateway({ engine: api.engine() })
  const { id } = (
    await app.inject({ method: 'POST', url: '/users', payload: { id: 'u', tags: ['x'] } })
  ).json<{ id: string }>()
  const payload = [{ op: 'add', path: '/tags/-', value: 'y' }]
  const changed = await app.inject({ method: 'PATCH', url: `/users/${id}`, payload })
  expect([changed.statusCode, changed.json()]).toMatchObject([200, { id }])
  expect(changed.json<{ tags: string[] }>().tags.at(-1)).toBe('y')
  await app.close()
})

// A list that is copied into itself forty times has a million million values.
it('refuses a patch that copies, or changes, without end', () => {
  const times = (count: number, step: object): object[] => Array.from({ length: count }, () => step)
  const copies = times(60, { op: 'copy', from: '/tags', path: '/tags/-' })
  expect(() => patchedItem(USER, copies)).toThrow('body.20: Value must not copy more than 8388608 characters')
  const test = { op: 'test', path: '/id', value: '7' }
  expect(patchedItem(USER, times(1000, test))).toEqual(USER)
  expect(() => patchedItem(USER, times(1001, test))).toThrow(
    'body: Value must not have more than 1000 changes',
  )
})

// With each value compared with all that are there, this takes minutes.
it('adds many values to many, and each once, in linear time', () => {
  const values = (from: number): string[] => Array.from({ length: 50_000 }, (_, at) => `t${from + at}`)
  const add = (value: unknown): object => ({ op: 'add', path: 'tags', value })
  const { tags } = patchedItem({ tags: ['t1'] }, scim(add(values(0)), add(values(25_000)), add('t9')))
  expect(tags).toHaveLength(75_000)
  expect(patchedItem({ tags: [{ a: 1, b: 2 }] }, scim(add([{ b: 2, a: 1 }])))).toEqual({
    tags: [{ a: 1, b: 2 }],
  })
})
