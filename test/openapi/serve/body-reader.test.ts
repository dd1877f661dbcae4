import { describe, expect, it } from 'vitest'
import { type Schema, createResolver } from '../../../src/engine/schema/schema.ts'
import type { RequestBody } from '../../../src/engine/operation.ts'
import { bodyOf, issuesOf, readerOf } from './reading.ts'
import { createReadOnlyFilter } from '../../../src/openapi/serve/body-reader.ts'

function reading(body: RequestBody, type?: string) {
  const read = readerOf('/x', { body })
  return (value: unknown) =>
    read({ body: value, headers: type === undefined ? {} : { 'content-type': type } })
}
const json = (model: Schema | undefined, rest: Partial<RequestBody> = {}) =>
  reading(bodyOf('application/json', model, rest))

const named: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer', default: 1 } },
}

describe('a body', () => {
  it.for([
    [named, { name: 'a' }, { name: 'a', size: 1 }],
    [named, { name: 'a', other: 1 }, { name: 'a', size: 1 }],
    [
      { ...named, additionalProperties: true },
      { name: 'a', other: 1 },
      { name: 'a', size: 1, other: 1 },
    ],
    [{ type: 'object' }, { any: 1 }, { any: 1 }],
    [
      { allOf: [named, { properties: { tag: {} } }] },
      { name: 'a', tag: 'b' },
      { name: 'a', tag: 'b', size: 1 },
    ],
    [{ type: 'array', items: named }, [{ name: 'a' }], { body: [{ name: 'a', size: 1 }] }],
    [{ type: ['object', 'null'] }, null, { body: null }],
    [{}, 7, { body: 7 }],
    [undefined, { a: 1 }, { a: 1 }],
    [undefined, 'text', { body: 'text' }],
  ] as const)('of the model %j gives, from %j, the input %j', ([model, value, input]) => {
    expect(json(model)(value)).toEqual(input)
  })

  it.for<[Schema, unknown]>([
    [{ type: 'object', properties: { a: { type: 'object', default: [] } } }, {}],
    [
      {
        type: 'object',
        additionalProperties: false,
        allOf: [{ properties: { a: { type: 'string', default: 'b' } } }],
      },
      {},
    ],
  ])('of the model %j is taken as it is where a default would not fit', ([model, value]) => {
    expect(json(model)(value)).toEqual(value)
  })

  it('that is not required may be missing', () => {
    expect(json(named, { required: false })(undefined)).toEqual({})
    expect(issuesOf(() => json(named)(undefined))).toEqual([
      { type: 'missing', loc: ['body'], msg: 'Field required: a body of application/json', input: null },
    ])
  })

  it('is validated by the model of its type', () => {
    const content = new Map([
      ['application/json', { model: named, examples: [] }],
      ['text/*', { model: { maxLength: 2 }, examples: [] }],
    ])
    const body = { required: true, content }
    expect(reading(body, 'text/csv')('ab')).toEqual({ body: 'ab' })
    expect(issuesOf(() => reading(body, 'text/csv')('abc'))).toMatchObject([{ loc: ['body'] }])
    expect(issuesOf(() => reading(body)({ name: 1, size: 'x' }))).toMatchObject([
      { type: 'type_error', loc: ['body', 'name'], input: 1 },
      { type: 'type_error', loc: ['body', 'size'], input: 'x' },
    ])
  })

  it('of bytes is not interpreted', () => {
    const file = { contentType: 'image/png', size: 1, sha256: 'x' }
    expect(reading(bodyOf('image/*', { type: 'string', maxLength: 0 }), 'image/png')(file)).toEqual({
      body: file,
    })
  })

  it('is left as it came', () => {
    const sent = Object.freeze({ name: 'a' })
    expect(json(named)(sent)).toEqual({ name: 'a', size: 1 })
    expect(sent).toEqual({ name: 'a' })
  })
})

function filter(model: Schema, value: unknown): unknown {
  return createReadOnlyFilter(model, createResolver(model))?.(value)
}

const id = { type: 'string', readOnly: true }
const model: Schema = {
  type: 'object',
  properties: {
    id,
    name: { type: 'string' },
    byReference: { $ref: '#/$defs/Stamp' },
    byParts: { allOf: [{ type: 'string' }, { $ref: '#/$defs/Stamp' }] },
    inAll: { anyOf: [id, id] },
    inSome: { anyOf: [id, { type: 'integer' }] },
    child: { $ref: '#' },
    children: { type: 'array', items: { $ref: '#' } },
    pair: { type: 'array', prefixItems: [{ $ref: '#' }], items: {} },
  },
  additionalProperties: { properties: { id } },
  $defs: { Stamp: { type: 'string', readOnly: true } },
}

describe('what only answers have', () => {
  it.for([
    [{ id: 'a', name: 'b' }, { name: 'b' }],
    [{ byReference: 1, byParts: 1, inAll: 1, inSome: 1 }, { inSome: 1 }],
    [{ child: { id: 1, child: { id: 2, name: 'b' } } }, { child: { child: { name: 'b' } } }],
    [{ children: [{ id: 1, name: 'b' }, 'text'] }, { children: [{ name: 'b' }, 'text'] }],
    [{ pair: [{ id: 1 }, { id: 1 }] }, { pair: [{}, { id: 1 }] }],
    [{ other: { id: 1, x: 2 } }, { other: { x: 2 } }],
    ['text', 'text'],
    [null, null],
  ] as const)('is taken out of %j, which leaves %j', ([value, left]) => {
    expect(filter(model, value)).toEqual(left)
  })

  it('is not looked for where a model has none', () => {
    expect(
      createReadOnlyFilter({ properties: { a: { readOnly: false } } }, createResolver({})),
    ).toBeUndefined()
  })
})
