import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../../src/engine/schema/fields.ts'
import { createResolver, type Schema } from '../../../../src/engine/schema/schema.ts'
import { createItemModel, type ItemModel } from '../../../../src/openapi/serve/resource/item-model.ts'
import { contentStream } from '../../../../src/engine/random.ts'

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

  it('takes of a request what its server does not set itself', () => {
    expect(Pet.taken({ id: 1, password: 'x', name: 'a', extra: 1 })).toEqual({ password: 'x', name: 'a' })
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
