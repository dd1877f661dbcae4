import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../../src/engine/schema/fields.ts'
import { createResolver, type Schema } from '../../../../src/engine/schema/schema.ts'
import { createItemModel, type ItemModel } from '../../../../src/openapi/serve/resource/item-model.ts'
import { contentStream } from '../../../../src/engine/random.ts'
import type { ItemRequest } from '../../../../src/collections/item-operations.ts'
import { bodyFieldsOf } from '../../../../src/openapi/serve/resource/body-fields.ts'
import { createSuppliedReader } from '../../../../src/openapi/serve/resource/item-factory.ts'
import type { Item } from '../../../../src/state/store.ts'
import { described, json, query } from '../describing.ts'

function modelOf(item: Schema): ItemModel {
  return createItemModel({ item, fields: fieldsOf(item, createResolver(item)) })
}
const Pet = modelOf({
  type: 'object',
  required: ['id', 'name', 'tags', 'note'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    password: { type: 'string', writeOnly: true },
    tags: { type: 'array', items: { type: 'string' } },
    note: { type: ['string', 'null'] },
    colour: { type: 'string' },
  },
})
const scope = () => ({ route: 'GET /', input: {}, headers: {}, depth: 0 })
const stream = () => contentStream(1, 'x')

describe('createItemModel', () => {
  it('shows of an item what its model names and can hold, and no secrets', () => {
    expect(Pet.own({ id: 1, name: 7, password: 'x', extra: 1, colour: 'red' })).toEqual({
      id: 1,
      colour: 'red',
    })
  })

  it('shows and takes what is required without being described', () => {
    const Folder = modelOf({ type: 'object', required: ['name'], properties: { Name: { type: 'string' } } })
    const item = { Name: 'Inbox', name: 'in', extra: 1 }
    expect(Folder.own(item)).toEqual({ Name: 'Inbox', name: 'in' })
    expect(Folder.taken(item, stream())).toEqual({ Name: 'Inbox', name: 'in' })
  })

  it('takes of a request what its server does not set itself', () => {
    expect(Pet.taken({ id: 1, password: 'x', name: 'a', extra: 1 }, stream())).toEqual({
      password: 'x',
      name: 'a',
    })
  })

  it('adds to the parts of what was sent what the server sets in them, and no more', () => {
    const line = {
      type: 'object',
      required: ['id', 'sku', 'price'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        sku: { type: 'string' },
        price: { type: 'number' },
        note: { type: 'string' },
      },
    }
    const lines = { type: 'array', items: line }
    const Order = modelOf({
      type: 'object',
      properties: { lines, ship: { type: 'object', properties: { lines } } },
    })
    const sent = [
      { sku: 'a', price: '2.50' },
      { sku: 'b', price: 3, note: 'n' },
    ]
    const taken = Order.taken({ lines: sent, ship: { lines: sent, to: 'x' } }, stream())
    const shown = [
      { id: expect.any(String) as string, sku: 'a', price: 2.5 },
      { id: expect.any(String) as string, sku: 'b', price: 3, note: 'n' },
    ]
    expect(taken).toEqual({ lines: shown, ship: { lines: shown, to: 'x' } })
    const ids = (taken['lines'] as { id: string }[]).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(Order.taken({ lines: [{ sku: 7 }, 'x'] }, stream())).toEqual({})
  })

  it('takes everything where the model names nothing, or says that there may be more', () => {
    expect(modelOf({ type: 'object' }).own({ a: 1 })).toEqual({ a: 1 })
    expect(
      modelOf({ type: 'object', properties: { b: {} }, additionalProperties: true }).own({ a: 1 }),
    ).toEqual({ a: 1 })
  })

  it('completes what is known', () => {
    const item = Pet.complete({ id: 7, name: 'Rex' }, stream(), scope())
    expect(item).toMatchObject({ id: 7, name: 'Rex' })
    expect(Pet.fits(item)).toBe(true)
    expect(Pet.complete({ id: 7, name: 'Rex' }, stream(), scope())).toEqual(item)
  })

  it('follows what is known into the member of a union', () => {
    const member = (kind: string, field: string) => ({
      type: 'object',
      required: ['kind', field],
      properties: { kind: { const: kind }, [field]: { type: 'integer' } },
      additionalProperties: false,
    })
    const either = modelOf({ oneOf: [member('a', 'x'), member('b', 'y')] })
    for (const kind of ['a', 'b'])
      expect(either.fits(either.complete({ kind }, stream(), scope()))).toBe(true)
  })

  it('keeps of what is known what can be kept, or all of it where nothing fits', () => {
    const properties = { id: { type: 'integer' }, name: { type: 'string' } }
    // The names of the fields say that their values are objects, and the fields say otherwise.
    const torn = modelOf({
      type: 'object',
      properties,
      allOf: [{ properties: { id: true }, additionalProperties: { type: 'object' } }],
    })
    expect(torn.complete({ id: 7, name: 'Rex' }, stream(), scope())).toEqual({ id: 7 })
    const impossible = modelOf({ type: 'object', properties, required: ['id', 'kind'], oneOf: [{}, {}] })
    expect(impossible.complete({ id: 7, name: 'Rex' }, stream(), scope())).toMatchObject({
      id: 7,
      name: 'Rex',
    })
  })

  it('leaves out what was not sent as far as it may', () => {
    const item = { id: 1, name: 'a', tags: ['x'], note: 'n', colour: 'red' }
    expect(Pet.without(item, ['colour', 'note', 'tags', 'name', 'none'])).toEqual({
      id: 1,
      name: 'a',
      tags: [],
      note: null,
    })
  })
})

const takes = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer', default: 3 } },
}
const route = described('POST', '/orgs/{org}/pets', [json(201, {})], {
  takes,
  parameters: [query('name', {})],
})
const operation = route.operation!

function request(body: unknown, input: Record<string, unknown>): ItemRequest {
  return {
    request: {
      method: 'POST',
      scheme: 'http' as const,
      host: 'a',
      path: '/orgs/7/pets',
      search: '',
      headers: {},
      body,
    },
    params: { org: '7' },
    input,
    path: '/orgs/7/pets',
    id: '',
  }
}

const suppliedFields = (sent: ItemRequest, wrapper: readonly string[]): Item =>
  createSuppliedReader({ ...route, operation }, wrapper).fields(sent)
const suppliedWithDefaults = (sent: ItemRequest, wrapper: readonly string[]): Item =>
  createSuppliedReader({ ...route, operation }, wrapper).withDefaults(sent)

describe('what a request supplies', () => {
  it('is the body, its values as they were read, and never a parameter', () => {
    const sent = request({ name: 'Rex', size: '4' }, { org: '7', name: 'from the query', size: 4 })
    expect(suppliedFields(sent, [])).toEqual({ name: 'Rex', size: 4 })
    expect(suppliedWithDefaults(sent, [])).toEqual({ name: 'Rex', size: 4 })
  })

  it('has defaults where they are wanted', () => {
    const sent = request({}, { org: '7', size: 3 })
    expect([suppliedFields(sent, []), suppliedWithDefaults(sent, [])]).toEqual([{}, { size: 3 }])
  })

  it('is opened where it is wrapped, and nothing where it is not an object', () => {
    expect(suppliedFields(request({ pet: { name: 'Rex' } }, {}), ['pet'])).toEqual({ name: 'Rex' })
    expect(suppliedFields(request({ owner: { name: 'Rex' } }, {}), ['pet'])).toEqual({
      owner: { name: 'Rex' },
    })
    expect(suppliedFields(request([1], {}), ['pet'])).toEqual({})
  })
})

describe('bodyFieldsOf', () => {
  it('names the fields of the body, wrapped or not', () => {
    const wrapped = described('POST', '/pets', [], { takes: { type: 'object', properties: { pet: takes } } })
    expect(bodyFieldsOf(operation, ['pet'])).toEqual(['name', 'size'])
    expect(bodyFieldsOf(wrapped.operation!, ['pet'])).toEqual(['name', 'size'])
    expect(bodyFieldsOf(wrapped.operation!, [])).toEqual(['pet'])
    expect(bodyFieldsOf(described('POST', '/pets', []).operation!, [])).toEqual([])
  })
})
