import { expect, it } from 'vitest'
import type { Parameter } from '../../../src/engine/operation.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { described, gatewayOf, inPath, json, query } from './describing.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const said = (schema: object, example: unknown) => ({
  ...schema,
  'x-sim-said': { examples: [example], defaults: [] },
})
const Attempt = {
  type: 'object',
  required: ['id', 'account_id', 'status', 'cost', 'created', 'modified'],
  properties: {
    id: said(text, 'at_1'),
    account_id: text,
    status: { type: 'string', enum: ['won', 'lost', 'open'] },
    cost: { type: 'integer', minimum: 0, maximum: 9999 },
    created: said({ type: 'string', format: 'date-time' }, '2031-01-01T00:00:00Z'),
    modified: said({ type: 'string', format: 'date-time' }, null),
  },
}
type Attempt = Readonly<Record<'id' | 'account_id' | 'status' | 'created' | 'modified', string>> & {
  cost: number
}
const attempts = { type: 'array', items: Attempt }
const paged = {
  type: 'object',
  required: ['data', 'total'],
  properties: { data: attempts, total: said(integer, 900) },
}
const filters = [query('status', text), query('sort', text), query('lang', text)]
const pages = [query('limit', integer), query('offset', integer)]
const ask = async (
  model: Schema,
  parameters: readonly Parameter[],
  search = '',
  more: { readonly path?: string; readonly url?: string; readonly example?: unknown } = {},
): Promise<unknown> => {
  const { path = '/attempts', url = path, example } = more
  const answer = json(200, model, example === undefined ? {} : { usual: example })
  const gateway = gatewayOf([described('GET', path, [answer], { parameters })])
  const { body } = await gateway.inject(`${url}${search}`)
  return JSON.parse(body)
}
const askAll = async (...call: Parameters<typeof ask>): Promise<readonly Attempt[]> =>
  (await ask(...call)) as readonly Attempt[]

it('chooses from lists whose items have no paths of their own, and sorts them', async () => {
  const parameters = [...filters, ...pages]
  const all = await askAll(attempts, parameters, '?limit=100')
  const won = await askAll(attempts, parameters, '?status=won&limit=100')
  expect(won.length).toBeGreaterThan(0)
  expect(won).toEqual(all.filter(({ status }) => status === 'won'))
  const dear = await askAll(attempts, parameters, '?sort=-cost&limit=3')
  expect(dear).toEqual(all.toSorted((a, b) => b.cost - a.cost).slice(0, 3))
})

it('has what a list must contain', async () => {
  const list = { type: 'array', contains: { enum: ['a', 'b'] }, minContains: 3 }
  expect(await ask(list, [])).toEqual([0, 1, 2].map(() => expect.stringMatching(/^[ab]$/)))
})

it('has no item twice where that is not allowed', async () => {
  const list = { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b', 'c'] } }
  const letters = (await ask(list, [])) as string[]
  expect(letters.toSorted()).toEqual(['a', 'b', 'c'])
})

it('says how many there are of what was chosen', async () => {
  const whole = (await ask(paged, filters)) as { data: Attempt[]; total: number }
  expect(whole.total).toBe(whole.data.length)
  const [{ status }] = whole.data as [Attempt]
  const some = await ask(paged, filters, `?status=${status}`)
  const kept = whole.data.filter((each) => each.status === status)
  expect(some).toEqual({ data: kept, total: kept.length })
})

it('chooses from examples, but not by what requests have to give', async () => {
  const example = [{ status: 'won' }, { status: 'lost' }]
  const model = { type: 'array', items: { type: 'object', properties: { status: text } } }
  const must = [{ ...query('status', text), required: true }]
  expect(await ask(model, filters, '', { example })).toEqual(example)
  expect(await ask(model, filters, '?status=lost', { example })).toEqual([{ status: 'lost' }])
  expect(await ask(model, filters, '?status=gone', { example })).toEqual([])
  expect(await ask(model, must, '?status=gone', { example })).toEqual(example)
})

it('gives what is answered the ids that the request names', async () => {
  const path = '/accounts/{account_id}/attempts'
  const parameters = [inPath('account_id'), { ...query('status', text), required: true }, ...pages]
  const both = { path, url: '/accounts/ada/attempts' }
  for (const model of [attempts, { type: 'object', properties: { data: attempts } }]) {
    for (const some of [parameters, parameters.slice(0, 2)]) {
      const body = await ask(model, some, '?status=open', both)
      const list = (Array.isArray(body) ? body : (body as { data: unknown }).data) as readonly Attempt[]
      expect(new Set(list.map(({ account_id, status }) => `${account_id} ${status}`))).toEqual(
        new Set(['ada open']),
      )
    }
  }
  const one = await ask(Attempt, parameters.slice(0, 2), '?status=open', {
    path: '/accounts/{account_id}/last-attempt',
    url: '/accounts/ada/last-attempt',
  })
  expect(one).toMatchObject({ id: 'at_1', account_id: 'ada', status: 'open' })
})

it('leaves a list empty whose items nothing fits, and shows an example where nothing fits the whole', async () => {
  const Odd = { required: ['at'], allOf: [{ properties: { at: integer } }, { properties: { at: text } }] }
  const list = { type: 'array', items: { type: 'object', ...Odd } }
  expect(await ask(list, pages)).toEqual([])
  expect(await ask({ type: 'object', ...Odd }, [], '', { example: { at: 'noon' } })).toEqual({ at: 'noon' })
})

it('has items differ in their ids, of which the description says that of the first', async () => {
  const all = await askAll(attempts, pages, '?limit=100')
  expect(all[0]?.id).toBe('at_1')
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})

it('changes nothing before it was created, where the description says when', async () => {
  const all = await askAll(attempts, pages, '?limit=100')
  expect(new Set(all.map(({ created }) => created))).toEqual(new Set(['2031-01-01T00:00:00Z']))
  expect(all.filter(({ created, modified }) => modified < created)).toEqual([])
})
