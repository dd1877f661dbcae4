import { describe, expect, it } from 'vitest'
import { list } from '../../../../src/engine/schema/list.ts'
import { resourceOf } from '../../../../src/openapi/serve/resource/resource.ts'
import { createRoute, type RouteDefinition } from '../../../../src/engine/route.ts'
import { described, header, json, response } from '../describing.ts'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { itemShapeOf, idFieldOf } from '../../../../src/openapi/serve/resource/item-shape.ts'
import { eitherNamesOf, singularOf } from '../../../../src/openapi/serve/resource/path-words.ts'
import { createIdForm } from '../../../../src/openapi/serve/resource/resource-ids.ts'

const Pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const Pets = { type: 'array', items: Pet }
const Anything = { type: 'object', properties: { colour: { type: 'string' } } }

function found(...routes: readonly RouteDefinition[]) {
  const [first] = routes
  return first && resourceOf(first, routes)
}

describe('resourceOf', () => {
  it('takes what lies in metadata beside a list for what is said of the page', () => {
    const page = {
      type: 'object',
      properties: { pets: Pets, meta: { properties: { key: { type: 'string' } } } },
    }
    const item = described('GET', '/pets/{petId}', [json(200, Pet)])
    expect(found(described('GET', '/pets', [json(200, page)]), item)?.isListed).toBe(true)
  })

  it('takes an id beside a list of what its items show for that of the page', () => {
    const Address = { title: 'Address', type: 'object', properties: { name: { type: 'string' } } }
    const page = {
      ...{ title: 'AddressList', type: 'object' },
      properties: { id: { type: 'string' }, items: { type: 'array', items: Address } },
    }
    const item = described('GET', '/addresses/{address}', [json(200, Address)])
    expect(found(described('GET', '/addresses', [json(200, page)]), item)?.isListed).toBe(true)
  })

  it('finds what can be created and read', () => {
    const routes = [
      described('GET', '/pets', [json(200, Pets)]),
      described('POST', '/pets', [json(201, Pet)]),
      described('GET', '/pets/{petId}', [json(200, Pet)]),
    ]
    const [resource] = routes.map((route) => resourceOf(route, routes))
    expect(resource).toMatchObject({
      template: '/pets',
      parameter: 'petId',
      idField: 'id',
      idSchema: { type: 'integer' },
      isPostedTo: true,
      isListed: true,
    })
    expect(routes.every((route) => resourceOf(route, routes) === resource)).toBe(true)
  })

  it.for([
    [
      'items that are only read',
      [described('GET', '/pets/{id}', [json(200, Pet)]), described('GET', '/pets', [json(200, Pets)])],
    ],
    [
      'items beside a POST that answers a list',
      [described('GET', '/pets/{id}', [json(200, Pet)]), described('POST', '/pets', [json(200, Pets)])],
    ],
  ] as const)('finds %s, which nothing creates', ([, routes]) => {
    expect(found(...routes)).toMatchObject({ idPath: ['id'], isPostedTo: false })
  })

  it.for([
    [
      'a list that only grows',
      [described('GET', '/pets', [json(200, Pets)]), described('POST', '/pets', [json(201, Pet)])],
    ],
    [
      'items that nothing reads',
      [described('POST', '/pets', [json(201, Pet)]), described('DELETE', '/pets/{id}', [response(204)])],
    ],
    [
      'a path that ends in a parameter and answers a list',
      [described('GET', '/by/{city}', [json(200, Pets)]), described('POST', '/by', [json(201, Pet)])],
    ],
    [
      'items whose id nothing gives',
      [
        described('POST', '/pets', [json(201, Anything)]),
        described('GET', '/pets/{id}', [json(200, Anything)]),
      ],
    ],
  ] as const)('leaves %s alone', ([, routes]) => {
    expect(found(...routes)).toBeUndefined()
  })

  it('takes an id that a header gives, or the path of a PUT', () => {
    const post = described('POST', '/pets', [response(201, {}, [header('location')])])
    const get = described('GET', '/pets/{id}', [json(200, Anything)])
    expect(found(post, get)).toMatchObject({ idField: undefined, idSchema: true, isPostedTo: true })
    expect(found(described('PUT', '/pets/{id}', [json(200, Anything)]), get)).toMatchObject({
      isPostedTo: false,
    })
  })

  it('knows items by what declared routes beside it answer', () => {
    const post = createRoute('POST', '/pets', { output: Pet })
    const classic = createRoute('GET', '/pets', { output: list(Pet) })
    expect(found(described('GET', '/pets/{id}', [json(200, Pet)]), post, classic)?.isListed).toBe(true)
  })
})

const evidence = { parameter: 'id', singular: 'pet', model: true }
const envelope: Schema = { type: 'object', properties: { pet: { $ref: '#/$defs/Pet' }, version: {} } }
const holding = (properties: object): Schema => ({ type: 'object', properties, $defs: { Pet } })
const shapeOf = (model: Schema) => {
  const shape = itemShapeOf(model, evidence)
  return shape && [shape.path, [...shape.fields.keys()]]
}

describe('itemShapeOf', () => {
  it.for([
    ['an item', Pet, []],
    ['a wrapped item', holding({ pet: { $ref: '#/$defs/Pet' } }), ['pet']],
    [
      'an item beside other things',
      holding({ data: { $ref: '#/$defs/Pet' }, meta: { type: 'object' } }),
      ['data'],
    ],
    ['an only object', holding({ thing: { $ref: '#/$defs/Pet' } }), ['thing']],
    ['an item in an envelope', holding({ data: envelope, meta: { type: 'object' } }), ['data', 'pet']],
  ] as const)('finds %s', ([, model, path]) => {
    expect(shapeOf(model)).toEqual([path, ['id', 'name']])
  })

  it('takes an object that wraps nothing for the item', () => {
    expect(shapeOf(holding({ owner: Pet, colour: { type: 'string' } }))).toEqual([[], ['owner', 'colour']])
    expect(shapeOf({ type: 'object' })).toEqual([[], []])
  })

  it('finds the fields of every member of a union', () => {
    expect(shapeOf({ oneOf: [Pet, holding({ id: {}, bark: {} })] })).toEqual([[], ['id', 'name', 'bark']])
  })

  it.for([{ type: 'array' }, { type: 'string' }, { allOf: [false] }])('finds no item in %j', (model) => {
    expect(shapeOf(model)).toBeUndefined()
  })
})

const integer = { type: 'integer' }
const text = { type: 'string' }

function idFieldIn(names: Record<string, Schema>, parameter: string, singular: string, model: Schema = text) {
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
    ['external_pet_id', 'pet', ['name', 'external_id'], 'external_id'],
    ['uploadToken', 'upload-token', ['created', 'token'], 'token'],
    ['petId', 'pet', ['colour'], undefined],
  ] as const)('of {%s} of a %s with %j is %s', ([parameter, singular, names, field]) => {
    const fields = Object.fromEntries(
      names.map((name) => [name, name === 'id' || name === 'number' ? integer : text]),
    )
    expect(
      idFieldIn(
        fields,
        parameter,
        singular,
        parameter.includes('ame') || parameter === 'repo' ? text : integer,
      ),
    ).toBe(field)
  })

  it('is the usual one that can hold what the path does', () => {
    const fields = { id: integer, key: text }
    expect(idFieldIn(fields, 'thing', 'thing', text)).toBe('key')
    expect(idFieldIn(fields, 'thing', 'thing', integer)).toBe('id')
    expect(idFieldIn({ id: integer }, 'thing', 'thing', text)).toBe('id')
    // A parameter of several types may be any of them.
    expect(idFieldIn(fields, 'thing', 'thing', { anyOf: [integer, text] })).toBe('id')
    expect(idFieldIn({ identifier: text, label: text }, 'code', 'thing')).toBe('identifier')
    expect(idFieldIn({ status: integer, wrapping_id: integer }, 'id', 'gift-wrapping')).toBe('wrapping_id')
    expect(idFieldIn({ entity_id: integer, status: text }, 'id', 'return', integer)).toBe('entity_id')
    expect(idFieldIn({ name: { type: 'object' } }, 'thing', 'thing')).toBeUndefined()
    expect(idFieldIn({ code: { enum: [200, 404] }, name: text }, 'thing', 'thing', text)).toBe('name')
  })

  it('is none that has one value for all', () => {
    for (const code of [{ type: 'integer', enum: [200] }, { const: 'ok' }])
      expect(idFieldIn({ code, message: text }, 'thing', 'thing', text)).toBeUndefined()
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

it.each([
  ['issueIdOrKey', ['issueId', 'issueKey']],
  ['name_or_id', ['id', 'name']],
  ['tournament_id_or_slug', ['tournamentid', 'tournamentslug']],
  ['reservationOrderId', ['reservationOrderId']],
  ['pgIdOrig', ['pgIdOrig']],
])('reads what the parameter %s may hold', (parameter, names) => {
  expect(eitherNamesOf(parameter)).toEqual(names)
})
