import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { protocolOf } from '../../../src/recording/inference/operations.ts'
import { trpc } from '../../../src/recording/protocols/trpc.ts'
import { sample } from '../inference/samples.ts'

const failed = (path: string, code: string, httpStatus: number, message: string): object => ({
  error: { message, code: -32_000 - (httpStatus % 100), data: { code, httpStatus, path } },
})
const none = (path: string, what: string, id: unknown): object =>
  failed(path, 'NOT_FOUND', 404, `No ${what} with id '${String(id)}'`)
const project = (id: number, name: string) => ({ id, name, owner: 'ann' })
const note = (no: number, title: string, projectId: number, status = 'open') => ({
  ...{ id: `7f0a1c2e-0000-4000-8000-00000000000${no}`, title, projectId, status },
})
const [SEEDS, FENCE, KNIVES] = [note(1, 'Seeds', 1), note(2, 'Fence', 1), note(3, 'Knives', 2)]
const ABSENT = '11111111-2222-4333-8444-555555555555'
const page = (items: readonly object[], total: number, nextCursor: number | null) => ({
  ...{ items, total, nextCursor },
})
const NEVER = `[{ "code": "invalid_value", "values": ["open", "done"], "path": ["status"] }]`

type Said = readonly [call: string, input: unknown, answer: unknown]
const RECORDED: readonly Said[] = [
  ...[project(1, 'Garden'), project(2, 'Kitchen')].map((each): Said => [
    'mutation project.create',
    { name: each.name },
    each,
  ]),
  ['query project.byId', { id: 2 }, project(2, 'Kitchen')],
  ['query project.byId', { id: 9 }, none('project.byId', 'project', 9)],
  ...[SEEDS, FENCE, KNIVES].map(({ title, projectId, ...each }): Said => [
    'mutation note.create',
    { title, projectId },
    { ...each, title, projectId },
  ]),
  ['mutation note.create', { title: 'x', projectId: 9 }, none('note.create', 'project', 9)],
  ['query note.list', undefined, page([SEEDS, FENCE, KNIVES], 3, null)],
  ['query note.list', { projectId: 2 }, page([KNIVES], 1, null)],
  ['query note.list', { limit: 2 }, page([SEEDS, FENCE], 3, 2)],
  ['query note.list', { limit: 2, cursor: 2 }, page([KNIVES], 3, null)],
  ['query note.byId', FENCE.id, FENCE],
  ['mutation note.update', { id: FENCE.id, status: 'done' }, { ...FENCE, status: 'done' }],
  [
    'mutation note.update',
    { id: FENCE.id, status: 'never' },
    failed('note.update', 'BAD_REQUEST', 400, NEVER),
  ],
  ['mutation note.update', { id: ABSENT, title: 'x' }, none('note.update', 'note', ABSENT)],
  ['query note.list', { status: 'done' }, page([{ ...FENCE, status: 'done' }], 1, null)],
  ['query label.list', { noteId: SEEDS.id }, []],
  ['mutation label.add', { noteId: SEEDS.id, name: 'urgent' }, null],
  ['mutation label.add', { noteId: SEEDS.id, name: 'cheap' }, null],
  ['query label.list', { noteId: SEEDS.id }, ['urgent', 'cheap']],
  ['mutation label.add', { noteId: ABSENT, name: 'x' }, none('label.add', 'note', ABSENT)],
  ['mutation note.delete', SEEDS.id, { deleted: true }],
  ['query note.byId', SEEDS.id, none('note.byId', 'note', SEEDS.id)],
]

const isFailure = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'error' in answer
const written = (answer: unknown): unknown => (isFailure(answer) ? answer : { result: { data: answer } })
const requestOf = (call: string, input: Readonly<Record<string, unknown>>) => {
  const [kind, names] = call.split(' ') as [string, string]
  const isQuery = kind === 'query'
  const query = { batch: '1', ...(isQuery && { input: JSON.stringify(input) }) }
  const method = isQuery ? 'GET' : 'POST'
  return { method, path: `/trpc/${names}`, query, headers: {}, ...(!isQuery && { body: input }) }
}

const SAMPLES = RECORDED.map(([call, input, answer], index) => {
  const { method, path, query, body } = requestOf(call, input === undefined ? {} : { 0: input })
  const status = isFailure(answer)
    ? (answer as { error: { data: { httpStatus: number } } }).error.data.httpStatus
    : 200
  const entry = { status, response: [written(answer)], ...(body !== undefined && { body }) }
  return sample(index, `${method} ${path}?${new URLSearchParams(query).toString()}`, entry)
})

function served(): (call: string, ...inputs: readonly unknown[]) => { status?: number; body?: unknown } {
  const model = inferCalls(SAMPLES, trpc, '/trpc')
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  let asks = 0
  return (call, ...inputs) => {
    const request = requestOf(call, Object.fromEntries(inputs.entries()))
    return answerCalls(model, all, request, { seed: `${asks++}`, now: 0 }) ?? {}
  }
}
const dataOf = ({ body }: { readonly body?: unknown }): unknown =>
  (body as readonly [{ readonly result: { readonly data: unknown } }])[0].result.data

it('is known by its answers, each procedure by its path', () => {
  expect(protocolOf(SAMPLES)?.name).toBe('tRPC')
})

it('remembers what procedures of each router made, by queries, filters and pages', () => {
  const ask = served()
  const shop = dataOf(ask('mutation project.create', { name: 'Shop' })) as { id: number }
  expect(shop).toEqual(project(1, 'Shop'))
  const made = ['Cart', 'Mail'].map(
    (title) => dataOf(ask('mutation note.create', { title, projectId: shop.id })) as { id: string },
  )
  expect(dataOf(ask('query note.byId', made[0]?.id))).toMatchObject({ title: 'Cart', projectId: 1 })
  expect(dataOf(ask('query project.byId', { id: 1 }))).toEqual(shop)
  expect(dataOf(ask('query note.list', { projectId: 1 }))).toMatchObject({ items: made, total: 2 })
  expect(dataOf(ask('query note.list', { limit: 1 }))).toMatchObject({ nextCursor: 1, total: 2 })
  expect(dataOf(ask('query note.list', { limit: 1, cursor: 1 }))).toMatchObject({ nextCursor: null })
})

it('refuses what is not there as the server did, whatever else was refused before', () => {
  const ask = served()
  const other = '99999999-2222-4333-8444-555555555555'
  expect(ask('mutation note.update', { id: other, title: 'y' })).toMatchObject({
    status: 404,
    body: [none('note.update', 'note', other)],
  })
  expect(ask('mutation note.create', { title: 'Cart', projectId: 1 })).toMatchObject({
    status: 404,
    body: [none('note.create', 'project', 1)],
  })
})

it('keeps lists of texts for objects, which must be there, and refuses words that are not allowed', () => {
  const ask = served()
  const shop = dataOf(ask('mutation project.create', { name: 'Shop' })) as { id: number }
  const { id } = dataOf(ask('mutation note.create', { title: 'Cart', projectId: shop.id })) as { id: string }
  expect(dataOf(ask('query label.list', { noteId: id }))).toEqual([])
  ask('mutation label.add', { noteId: id, name: 'blue' })
  expect(dataOf(ask('query label.list', { noteId: id }))).toEqual(['blue'])
  expect(ask('mutation label.add', { noteId: ABSENT, name: 'blue' }).status).toBe(404)
  expect(ask('mutation note.update', { id, status: 'gone' }).status).toBe(400)
  expect(dataOf(ask('query note.byId', id))).toMatchObject({ status: 'open' })
})

it('answers the procedures of a batch together, and says that they went differently', () => {
  const ask = served()
  const shop = dataOf(ask('mutation project.create', { name: 'Shop' })) as { id: number }
  expect(ask('query project.byId,note.byId', { id: shop.id }, ABSENT)).toMatchObject({
    status: 207,
    body: [{ result: { data: shop } }, none('note.byId', 'note', ABSENT)],
  })
})

it('is not spoken by an empty list, which any server may answer', () => {
  expect(trpc.speaks(sample(0, 'GET /containers/json', { response: [] }))).toBe(false)
})
