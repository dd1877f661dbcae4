import { describe, expect, it } from 'vitest'
import { createChecker } from '../../src/engine/schema/checker.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import { listShapeOf, partOf } from '../../src/engine/list-shape.ts'

const list = { type: 'array', items: { type: 'integer' } }
const object = (properties: object): Schema => ({ type: 'object', properties })

describe('listShapeOf', () => {
  it.for([
    [list, []],
    [{ $ref: '#/$defs/L', $defs: { L: list } }, []],
    [{ anyOf: [list, { type: 'array', items: { type: 'string' } }] }, []],
    [object({ anything: list, total: { type: 'integer' } }), ['anything']],
    [object({ pets: list, tags: list }), ['pets']],
    [object({ tags: list, data: list }), ['data']],
    [{ allOf: [object({ items: list }), object({ next: { type: 'string' } })] }, ['items']],
  ] as const)('finds the list of %j', ([model, path]) => {
    expect(listShapeOf(model, '/v1/pets')).toMatchObject({ path, item: { type: 'integer' } })
  })

  it('finds the objects of a list in what an answer wraps, but not what an item holds', () => {
    const objects = { type: 'array', items: object({ id: { type: 'string' } }) }
    const wrapped = object({ meta: object({ logs: objects }), data: object({ items: objects }) })
    expect(listShapeOf(wrapped, '/pets')?.path).toEqual(['data', 'items'])
    expect(listShapeOf(object({ _embedded: object({ pets: objects, tags: list }) }), '/pets')?.path).toEqual([
      '_embedded',
      'pets',
    ])
    expect(listShapeOf(wrapped, '/pets/{id}')).toBeUndefined()
    expect(listShapeOf(object({ data: object({ items: list }) }), '/pets')).toBeUndefined()
    expect(listShapeOf(object({ owner: object({ items: objects }) }), '/pets')).toBeUndefined()
  })

  it('knows the list that is called as the path is, however its words are joined', () => {
    const objects = { type: 'array', items: object({ id: { type: 'string' } }) }
    for (const name of ['team_wages', 'teamWages', 'team-wages'])
      expect(listShapeOf(object({ others: objects, [name]: objects }), '/v2/team-wages')?.path).toEqual([
        name,
      ])
  })

  it('takes the only list of objects before lists of plain values', () => {
    const objects = { type: 'array', items: object({ id: { type: 'string' } }) }
    const plain = { type: 'array', items: { type: 'string' } }
    expect(listShapeOf(object({ schemas: plain, Resources: objects }), '/Users')?.path).toEqual(['Resources'])
    expect(listShapeOf(object({ schemas: plain, Resources: objects }), '/Schemas')?.path).toEqual([
      'Resources',
    ])
    expect(listShapeOf(object({ Schemas: plain, Resources: objects }), '/Schemas')?.path).toEqual(['Schemas'])
    expect(listShapeOf(object({ schemas: plain, others: plain }), '/Schemas')?.path).toEqual(['schemas'])
    expect(listShapeOf(object({ a: objects, b: objects }), '/Users')).toBeUndefined()
  })

  it('takes the objects of a list that has objects or their names', () => {
    const choices = [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: object({}) },
    ]
    for (const either of ['anyOf', 'oneOf'])
      expect(listShapeOf({ [either]: choices }, '/pets')).toMatchObject({
        path: [],
        item: { type: 'object' },
      })
  })

  it.for([
    object({ a: list, b: list }),
    object({}),
    { anyOf: [list, { type: 'string' }] },
    { type: 'string' },
    { type: 'array', prefixItems: [{ type: 'string' }] },
    { type: 'array', items: {}, contains: { const: 'a' } },
    { not: {}, allOf: [false] },
  ])('finds none in %j', (model) => {
    expect(listShapeOf(model, '/pets')).toBeUndefined()
  })

  it('has a model of one item that stands by itself', () => {
    const model = {
      $ref: '#/$defs/Pets',
      $defs: { Pets: { type: 'array', items: { $ref: '#/$defs/Pet' } }, Pet: { type: 'integer' } },
    }
    const { item } = listShapeOf(model, '/pets') ?? {}
    expect(createChecker(item ?? {}).fits(7)).toBe(true)
    expect(createChecker(item ?? {}).fits('x')).toBe(false)
  })
})

describe('partOf', () => {
  it('takes booleans for what they mean', () => {
    expect([partOf({ a: 1 }, true), partOf({ a: 1 }, false)]).toEqual([{}, { not: {} }])
  })

  it('brings along what references name, however deep they lie, and nothing where there is none', () => {
    const $defs = { Pet: { type: 'integer' } }
    const pets = { type: 'object', properties: { all: { anyOf: [{ $ref: '#/$defs/Pet' }] } } }
    expect(partOf({ $defs }, pets)).toEqual({ $defs, ...pets })
    const plain = { anyOf: [{ type: 'string', enum: ['$ref'] }] }
    expect(partOf({ $defs }, plain)).toEqual(plain)
  })
})
