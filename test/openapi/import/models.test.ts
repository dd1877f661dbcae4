import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSchema, createChecker } from '../../../src/engine/schema/checker.ts'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { arbitraryDescription } from './arbitrary-description.ts'
import { answering, importData, importFile, routeOf, taking } from './read-file.ts'

function answered(schema: unknown, schemas?: object, version?: string): Schema {
  return importData(answering(schema, schemas, version)).routes[0]?.options.output ?? {}
}

function taken(schema: unknown, schemas?: object, version?: string): Schema {
  const { operation } = routeOf(importData(taking(schema, schemas, version)), 'POST /a')
  return operation.body?.content.get('application/json')?.model ?? {}
}

function generated(model: Schema, count = 30): unknown[] {
  const generate = compileGenerator(model)
  const scope = { route: 'GET /a', input: {}, headers: {}, depth: 0 }
  return Array.from({ length: count }, (_, index) => generate(contentStream(7, 'GET /a').child(index), scope))
}

describe('a model', () => {
  it.for([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 1 },
    ],
    [
      { type: 'integer', maximum: 1, exclusiveMaximum: false },
      { type: 'integer', maximum: 1 },
    ],
    [
      { type: 'string', example: 'a', description: 'b', externalDocs: {}, 'x-a': 1 },
      { type: 'string', 'x-sim-said': { examples: ['a'], defaults: [] } },
    ],
    [
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      { type: 'strin', minLength: -1, pattern: '(', required: 'a', properties: [], maxLength: 3 },
      { maxLength: 3 },
    ],
    [
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string', format: 'made-up' },
      { type: 'string', format: 'made-up' },
    ],
    [
      { type: 'string', 'x-sim-link': { fromInput: 'q' } },
      { type: 'string', 'x-sim-link': { fromInput: 'q' } },
    ],
    [
      { type: 'string', 'x-faker': 'name.firstName' },
      { type: 'string', 'x-sim-link': { fromFaker: 'person.firstName' } },
    ],
    [
      { type: 'integer', 'x-faker': { 'number.int': { max: 3 } }, 'x-sim-link': { fromInput: 'q' } },
      { type: 'integer', 'x-sim-link': { fromInput: 'q' } },
    ],
    [{ type: 'string', 'x-faker': 'nothing.known' }, { type: 'string' }],
    [
      { type: 'string', pattern: '/^[a-z]+$/u' },
      { type: 'string', pattern: '^[a-z]+$' },
    ],
    [
      { type: 'string', pattern: '/^id-[a-f]$/i' },
      { type: 'string', pattern: '^[iI][dD]-[a-fA-F]$' },
    ],
    [
      { type: 'string', pattern: '.*/^[\\d]{12}$/.*' },
      { type: 'string', pattern: '^[\\d]{12}$' },
    ],
    [
      { type: 'string', pattern: '/v1$/' },
      { type: 'string', pattern: '/v1$/' },
    ],
    [true, {}],
    [false, { not: {} }],
  ])('of %o is %o', ([schema, model]) => {
    expect(answered(schema)).toEqual(model)
  })

  it('takes null where `nullable` stands without a type beside it, and never answers with it', () => {
    const schema = { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] }
    const { oneOf } = schema
    expect(answered(schema)).toEqual({ oneOf })
    expect(taken(schema)).toEqual({ anyOf: [{ oneOf }, { type: 'null' }] })
  })

  it('answers with no null where `nullable` is not a keyword any more, and takes one', () => {
    const schema = { type: 'string', nullable: true }
    expect(answered(schema)).toEqual({ type: ['string', 'null'] })
    expect(answered(schema, {}, '3.1.0')).toEqual({ type: 'string' })
    expect(taken(schema, {}, '3.1.0')).toEqual({ type: ['string', 'null'] })
  })

  it('holds what it reaches, and nothing else', () => {
    const schemas = {
      A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } },
      C: { type: 'string' },
    }
    expect(Object.keys(answered({ $ref: '#/components/schemas/A' }, schemas)['$defs'] as object)).toEqual([
      'A',
      'B',
    ])
  })

  it('counts what stands beside a reference since OpenAPI 3.1', () => {
    const schemas = { A: { type: 'string' } }
    const schema = { type: 'array', items: { $ref: '#/components/schemas/A', minLength: 2 } }
    expect(answered(schema, schemas, '3.0.3')['items']).toEqual({ $ref: '#/$defs/A' })
    expect(answered(schema, schemas, '3.1.0')['items']).toEqual({ $ref: '#/$defs/A', minLength: 2 })
  })

  it('keeps a link that stands beside a reference, in every version', () => {
    const schema = { $ref: '#/components/schemas/A', 'x-sim-link': { fromInput: 'q' } }
    expect(answered(schema, { A: { type: 'string' } })).toMatchObject({ 'x-sim-link': { fromInput: 'q' } })
  })

  it('is made once', () => {
    const { routes } = importFile('pets.yaml')
    expect(routes[2]?.options.output).toBe(routes[2]?.options.output)
    expect(routes[2]?.options.output).toBe(routes[1]?.options.output)
  })

  it('of a chain of thousands of references is made', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `S${index}`,
        { type: 'object', properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
      ]),
    )
    const model = answered({ $ref: '#/components/schemas/S0' }, { ...schemas, S20000: { type: 'null' } })
    expect(Object.keys(model['$defs'] as object)).toHaveLength(20_000)
  })

  it('is valid JSON Schema, whatever the description says', () => {
    fc.assert(
      fc.property(arbitraryDescription, (description) => {
        for (const { options, operation } of importData(description).routes) {
          const models = [options.output, ...(operation?.parameters.map(({ model }) => model) ?? [])]
          for (const model of models) {
            if (model === undefined) continue
            expect(checkSchema(model)).toEqual([])
            expect(() => createChecker(model).fits(null)).not.toThrow()
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('a property', () => {
  const schema = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
    },
  }

  it('that is read-only need not be in a request', () => {
    expect(taken(schema)['required']).toEqual(['secret', 'name'])
  })

  it('that is write-only is in no answer', () => {
    const model = answered(schema)
    expect(model['required']).toEqual(['id', 'name'])
    expect(Object.keys(model['properties'] as object)).toEqual(['id', 'name'])
  })

  it('may be required by another part of an allOf', () => {
    const parts = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id'] }],
      required: ['id', 'name'],
    }
    const Base = { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' }, name: {} } }
    const model = taken(parts, { Base, Id: { type: 'integer', readOnly: true } })
    expect(model).toMatchObject({ allOf: [{ $ref: '#/$defs/Base' }, {}], required: ['name'] })
    expect(createChecker(model).fits({ name: 'x' })).toBe(true)
  })
})

describe('a discriminator', () => {
  const schemas = {
    Car: {
      type: 'object',
      required: ['kind', 'doors'],
      properties: { kind: { type: 'string' }, doors: { type: 'integer' } },
    },
    Boat: {
      type: 'object',
      required: ['kind', 'sails'],
      properties: { kind: { type: 'string' }, sails: { type: 'integer' } },
    },
  }
  const oneOf = [{ $ref: '#/components/schemas/Car' }, { $ref: '#/components/schemas/Boat' }]

  it('gives each member the values that are mapped to it', () => {
    const mapping = {
      car: '#/components/schemas/Car',
      van: 'Car',
      boat: './api.yaml#/components/schemas/Boat',
    }
    const values = generated(
      answered({ oneOf, discriminator: { propertyName: 'kind', mapping } }, schemas),
    ) as Record<string, unknown>[]
    for (const value of values) expect('doors' in value ? ['car', 'van'] : ['boat']).toContain(value['kind'])
    expect(new Set(values.map(({ kind }) => kind)).size).toBeGreaterThan(1)
  })

  it('gives each member its name where nothing is mapped', () => {
    const values = generated(answered({ oneOf, discriminator: { propertyName: 'kind' } }, schemas)) as Record<
      string,
      unknown
    >[]
    for (const value of values) expect(value['kind']).toBe('doors' in value ? 'Car' : 'Boat')
  })

  it('gives a member the value that AutoRest has beside its schema', () => {
    const Car = { ...schemas.Car, 'x-ms-discriminator-value': 'Wheels/Car' }
    const values = generated(
      answered({ oneOf, discriminator: { propertyName: 'kind' } }, { ...schemas, Car }),
    ) as Record<string, unknown>[]
    for (const value of values) expect(value['kind']).toBe('doors' in value ? 'Wheels/Car' : 'Boat')
  })

  it('does not ask requests for names that are not mapped', () => {
    const model = taken({ oneOf, discriminator: { propertyName: 'kind' } }, schemas)
    expect(createChecker(model).fits({ kind: 'car', doors: 2 })).toBe(true)
  })

  it('chooses between members that requests fit alike, by the names that others have', () => {
    const open = {
      Car: { ...schemas.Car, required: ['kind'] },
      Boat: { ...schemas.Boat, required: ['kind'] },
    }
    for (const discriminator of [
      { propertyName: 'kind' },
      { propertyName: 'kind', mapping: { Boat: '#/components/schemas/Boat' } },
    ]) {
      const checker = createChecker(taken({ oneOf, discriminator }, open))
      expect(checker.fits({ kind: 'Boat', sails: 2 })).toBe(true)
      expect(checker.fits({ kind: 'Boat', sails: 'two' })).toBe(false)
      expect(checker.fits({ kind: 'Car', doors: 2 })).toBe(true)
    }
  })

  it('lets the usual member of a request do without, as OpenAPI 3.2 has it', () => {
    const discriminator = {
      propertyName: 'kind',
      defaultMapping: 'Boat',
      mapping: { car: 'Car', boat: 'Boat' },
    }
    const Boat = { ...schemas.Boat, required: ['sails'] }
    const model = taken({ oneOf, discriminator }, { ...schemas, Boat }, '3.2.0')
    expect(createChecker(model).fits({ sails: 2 })).toBe(true)
    expect(createChecker(model).fits({ kind: 'car', sails: 2 })).toBe(false)
  })

  it('leaves a member alone that says itself which values it has', () => {
    const Car = {
      ...schemas.Car,
      properties: { ...schemas.Car.properties, kind: { type: 'string', enum: ['auto'] } },
    }
    const values = generated(
      answered({ oneOf, discriminator: { propertyName: 'kind' } }, { ...schemas, Car }),
    ) as Record<string, unknown>[]
    for (const value of values) expect(value['kind']).toBe('doors' in value ? 'auto' : 'Boat')
  })

  it('chooses as well where what is none of its members extends it', () => {
    const mapping = { car: 'Car', boat: 'Boat' }
    const Vehicle = { oneOf, discriminator: { propertyName: 'kind', mapping } }
    const Owned = {
      allOf: [
        { $ref: '#/components/schemas/Vehicle' },
        { type: 'object', required: ['owner'], properties: { owner: { type: 'string' } } },
      ],
    }
    const parts = { ...schemas, Vehicle, Owned }
    const checker = createChecker(taken({ $ref: '#/components/schemas/Owned' }, parts))
    expect(checker.fits({ kind: 'car', doors: 2, owner: 'Ada' })).toBe(true)
    expect(checker.fits({ kind: 'boat', doors: 2, owner: 'Ada' })).toBe(false)
    expect(checker.fits({ owner: 'Ada' })).toBe(false)
    const shown = generated(answered({ $ref: '#/components/schemas/Owned' }, parts)).flat()
    const kinds = (shown as { kind: string; owner: string }[]).map(({ kind, owner }) => [kind, typeof owner])
    expect(new Set(kinds.map(String))).toEqual(new Set(['car,string', 'boat,string']))
  })

  it('does not choose where one of its members extends it, by what that extends in its turn', () => {
    const Vehicle = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      oneOf,
      discriminator: { propertyName: 'kind', mapping: { car: 'Car', boat: 'Boat' } },
    }
    const Base = { allOf: [{ $ref: '#/components/schemas/Vehicle' }, { required: ['doors'] }] }
    const Car = { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: schemas.Car.properties }] }
    const parts = { Vehicle, Base, Car, Boat: schemas.Boat }
    const checker = createChecker(taken({ $ref: '#/components/schemas/Car' }, parts))
    expect(checker.fits({ kind: 'car', doors: 2 })).toBe(true)
    expect(checker.fits({ kind: 'boat', doors: 2 })).toBe(false)
  })

  it('is that of a schema where it is in a part of it', () => {
    const type = { propertyName: 'type' }
    const Thing = {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string' } },
      discriminator: { ...type, mapping: { member: 'Member', user: 'User', place: 'Place' } },
    }
    const Member = {
      allOf: [
        { $ref: '#/components/schemas/Thing' },
        { discriminator: { ...type, mapping: { user: 'User' } } },
      ],
    }
    const User = {
      allOf: [
        { $ref: '#/components/schemas/Member' },
        { required: ['name'], properties: { name: { type: 'string' } } },
      ],
    }
    const Place = { allOf: [{ $ref: '#/components/schemas/Thing' }] }
    const parts = { Thing, Member, User, Place }
    const checker = createChecker(taken({ $ref: '#/components/schemas/Member' }, parts))
    const bodies = [{ type: 'user', name: 'Ada' }, { type: 'member' }, { type: 'user' }, { type: 'place' }]
    expect(bodies.map((body) => checker.fits(body))).toEqual([true, true, false, false])
    const shown = generated(answered({ $ref: '#/components/schemas/Member' }, parts)).flat()
    const types = (shown as { type: string }[]).map((each) => each.type)
    expect(new Set(types)).toEqual(new Set(['user', 'member']))
  })

  it('of a schema that others extend chooses between them', () => {
    const { options } = routeOf(importFile('pets.yaml'), 'GET /v1/animals')
    const animals = generated(options.output ?? {}).flat() as Record<string, unknown>[]
    expect(new Set(animals.map(({ species }) => species))).toEqual(new Set(['Animal', 'Cat', 'Dog']))
    for (const animal of animals) {
      expect('lives' in animal).toBe(animal['species'] === 'Cat')
      expect('barks' in animal).toBe(animal['species'] === 'Dog')
    }
  })
})
