import { expect, it } from 'vitest'
import { createParameterSelect } from '../../src/collections/list-parameters.ts'
import type { Input } from '../../src/engine/input.ts'
import { parseQuery } from '../../src/engine/query.ts'
import { fieldsOf } from '../../src/engine/schema/fields.ts'
import { createResolver, type Schema } from '../../src/engine/schema/schema.ts'
import type { HttpRequest } from '../../src/message.ts'
import { StoredItem } from '../../src/state/store.ts'
import { query } from '../openapi/serve/describing.ts'

const text = { type: 'string' }
const properties: Record<string, Schema> = {
  id: { type: 'integer' },
  status: { enum: ['new', 'paid', 'sent'] },
  price: { type: 'number' },
  isGift: { type: 'boolean' },
  name: text,
  tags: { type: 'array', items: text },
  created_at: { type: 'string', format: 'date-time' },
}
const model: Schema = { type: 'object', properties }
const fields = fieldsOf(model, createResolver(model))
const modelOf = (name: string): Schema => properties[name] ?? {}
const order = (id: number, status: string, price: number, name: string, day: string) =>
  new StoredItem({
    id,
    status,
    price,
    isGift: id === 2,
    name,
    tags: [name.slice(0, 1)],
    created_at: `${day}T10:00:00Z`,
  })
const items = [
  order(1, 'new', 10, 'Ada', '2025-01-01'),
  order(2, 'paid', 20, 'Bob', '2025-02-01'),
  order(3, 'sent', 30, 'Cy', '2025-03-01'),
]

/** The ids of the items that a query chooses, whose parameters are those that the operation has. */
function idsOf(search: string, given: Input = parseQuery(search)): unknown {
  const parameters = Object.keys(given).map((name) => query(name, text))
  const select = createParameterSelect(
    { place: '', parameters, responses: [], security: [] },
    { fields, modelOf },
  )
  const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/orders', search, headers: {} }
  const chosen = select(given, call)
  return chosen?.({ items, some: () => true })?.items.map(({ value }) => value['id'])
}

it.for<[string, unknown]>([
  ['filter[status]=paid', [2]],
  ['filter.status=paid', [2]],
  ['filterStatus=paid', [2]],
  ['by_status=paid,new', [1, 2]],
  ['status_eq=paid', [2]],
  ['status__in=paid,sent', [2, 3]],
  ['status_not=paid', [1, 3]],
  ['exclude_status=paid,sent', [1]],
  ['is_gift=true', [2]],
  ['gift=false', undefined],
  ['min_price=20', [2, 3]],
  ['price_gteq=20', [2, 3]],
  ['priceGreaterThan=20', [3]],
  ['price_less_than_or_equal_to=20', [1, 2]],
  ['filter[price][lt]=20', [1]],
  ['price[between]=20', undefined],
  ['created_at.on_or_before=2025-02-01T10:00:00Z', [1, 2]],
  ['created_after=2025-02-01T10:00:00Z', [3]],
  ['created_at=2025-03-01', [3]],
  ['name_cont=O', [2]],
  ['name__istartswith=b', [2]],
  ['tags_any=A,C', [1, 3]],
  ["$filter=price gt 10 and status ne 'sent'", [2]],
  ['filter=colour eq 1', undefined],
  ['filter=status:paid', undefined],
  ['created_by=2025', undefined],
  ['group_by=status', undefined],
])('reads %s', ([search, ids]) => {
  expect(idsOf(search)).toEqual(ids)
})

it('reads objects of fields and of comparisons', () => {
  expect(idsOf('filter[price][gte]=20', { filter: { price: { gte: 20 }, status: 'sent' } })).toEqual([3])
})

it('finds the fields of items that have them in attributes and relationships', () => {
  const held = (names: object): Schema => ({ type: 'object', properties: names })
  const parts: Record<string, Schema> = {
    id: text,
    attributes: held({ status: text, createdAt: text }),
    relationships: held({ account: held({ data: held({ id: text }) }) }),
  }
  const item = (id: string, status: string, account: string) =>
    new StoredItem({
      id,
      attributes: { status, createdAt: `2025-01-0${id}T00:00:00Z` },
      relationships: { account: { data: { type: 'accounts', id: account } } },
    })
  const all = [item('1', 'HELD', 'a'), item('2', 'SETTLED', 'b'), item('3', 'HELD', 'b')]
  const idsFor = (search: string): unknown => {
    const given = parseQuery(search)
    const parameters = Object.keys(given).map((name) => query(name, text))
    const select = createParameterSelect(
      { place: '', parameters, responses: [], security: [] },
      { fields: new Map(Object.entries(parts)), modelOf: (name) => parts[name] ?? {} },
    )
    const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/', search, headers: {} }
    return select(given, call)?.({ items: all, some: () => true })?.items.map(({ value }) => value['id'])
  }
  expect(idsFor('filter[status]=HELD')).toEqual(['1', '3'])
  expect(idsFor('filter[account]=b&sort=-createdAt')).toEqual(['3', '2'])
  expect(idsFor('filter[since]=2025-01-02T00:00:00Z')).toEqual(['2', '3'])
})

it('compares the moment whose name is of the same verb', () => {
  const parameters = [query('CreatedBefore', text)]
  const select = createParameterSelect(
    { place: '', parameters, responses: [], security: [] },
    { fields: new Map([['create_time', text]]), modelOf: () => text },
  )
  const calls = ['2025-01-01', '2025-03-01'].map((day) => new StoredItem({ create_time: `${day}T10:00:00Z` }))
  const search = 'CreatedBefore=2025-02-01T00:00:00Z'
  const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/calls', search, headers: {} }
  const chosen = select(parseQuery(search), call)
  expect(chosen?.({ items: calls, some: () => true })?.items).toEqual(calls.slice(0, 1))
})
