import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import {
  itemShapeOf,
  createIdForm,
  idFieldOf,
  singularOf,
} from '../../../../src/openapi/serve/resource/item-shape.ts'

const evidence = { parameter: 'id', singular: 'pet', model: true }
const Pet: Schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const holding = (properties: object): Schema => ({ type: 'object', properties, $defs: { Pet } })
const shapeOf = (model: Schema) => {
  const shape = itemShapeOf(model, evidence)
  return shape && [shape.field, [...shape.fields.keys()]]
}

describe('itemShapeOf', () => {
  it.for([
    ['an item', Pet, undefined],
    ['a wrapped item', holding({ pet: { $ref: '#/$defs/Pet' } }), 'pet'],
    [
      'an item beside other things',
      holding({ data: { $ref: '#/$defs/Pet' }, meta: { type: 'object' } }),
      'data',
    ],
    ['an only object', holding({ thing: { $ref: '#/$defs/Pet' } }), 'thing'],
  ] as const)('finds %s', ([, model, field]) => {
    expect(shapeOf(model)).toEqual([field, ['id', 'name']])
  })

  it('takes an object that wraps nothing for the item', () => {
    expect(shapeOf(holding({ owner: Pet, colour: { type: 'string' } }))).toEqual([
      undefined,
      ['owner', 'colour'],
    ])
    expect(shapeOf({ type: 'object' })).toEqual([undefined, []])
  })

  it('finds the fields of every member of a union', () => {
    expect(shapeOf({ oneOf: [Pet, holding({ id: {}, bark: {} })] })).toEqual([
      undefined,
      ['id', 'name', 'bark'],
    ])
  })

  it.for([{ type: 'array' }, { type: 'string' }, { allOf: [false] }])('finds no item in %j', (model) => {
    expect(shapeOf(model)).toBeUndefined()
  })
})

const integer = { type: 'integer' }
const text = { type: 'string' }

function found(names: Record<string, Schema>, parameter: string, singular: string, model: Schema = text) {
  const fields = new Map(Object.entries(names))
  const modelOf = (name: string): Schema => names[name] ?? {}
  return idFieldOf({ fields, modelOf }, { parameter, singular, model })
}

describe('idFieldOf', () => {
  it.for([
    ['petId', 'pet', ['name', 'id', 'petId'], 'petId'],
    ['petId', 'pet', ['name', 'id', 'pet_id'], 'pet_id'],
    ['pet_id', 'pet', ['name', 'id'], 'id'],
    ['animalId', 'pet', ['name', 'id'], 'id'],
    ['id', 'pet', ['name', 'petId'], 'petId'],
    ['pet', 'pet', ['name', 'petId'], 'petId'],
    ['issue_number', 'issue', ['id', 'number'], 'number'],
    ['username', 'user', ['id', 'name', 'login'], 'login'],
    ['username', 'member', ['user', 'username'], 'username'],
    ['team_slug', 'team', ['id', 'slug', 'name'], 'slug'],
    ['repo', 'repo', ['name', 'full_name'], 'name'],
    ['ghsa_id', 'security-advisory', ['ghsa_id', 'id'], 'ghsa_id'],
    ['petId', 'pet', ['colour'], undefined],
  ] as const)('of {%s} of a %s with %j is %s', ([parameter, singular, names, field]) => {
    const fields = Object.fromEntries(
      names.map((name) => [name, name === 'id' || name === 'number' ? integer : text]),
    )
    expect(
      found(fields, parameter, singular, parameter.includes('ame') || parameter === 'repo' ? text : integer),
    ).toBe(field)
  })

  it('is the usual one that can hold what the path does', () => {
    const fields = { id: integer, key: text }
    expect(found(fields, 'thing', 'thing', text)).toBe('key')
    expect(found(fields, 'thing', 'thing', integer)).toBe('id')
    expect(found({ id: integer }, 'thing', 'thing', text)).toBe('id')
    expect(found({ name: { type: 'object' } }, 'thing', 'thing')).toBeUndefined()
  })
})

describe('createIdForm', () => {
  it('gives ids the form that the model asks for', () => {
    const [asNumber, asText] = [createIdForm(integer), createIdForm(text)]
    expect([asNumber('7'), asText(7), asNumber('x'), asText('x')]).toEqual([7, '7', undefined, 'x'])
  })
})

describe('singularOf', () => {
  it.for([
    ['pets', 'pet'],
    ['Categories', 'category'],
    ['boxes', 'box'],
    ['people', 'person'],
    ['addresses', 'address'],
    ['status', 'status'],
    ['class', 'class'],
    ['staff', 'staff'],
  ])('of %s is %s', ([plural, singular]) => {
    expect(singularOf(plural ?? '')).toBe(singular)
  })
})
