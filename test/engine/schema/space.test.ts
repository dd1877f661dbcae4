import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { contentStream } from '../../../src/engine/random.ts'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import { spaceOfList } from '../../../src/engine/schema/list-space.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { scopeOf } from './generating.ts'

const ENTITIES = 20
const LIMIT = 64 * 1024

/** A graph in which every entity has a list of each of the others, and one of them itself, as business APIs have. */
function graph(more: Schema = {}): Schema {
  const entity = (own: number): Schema => ({
    type: 'object',
    required: ['id', 'owner'],
    properties: {
      id: { type: 'string' },
      ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`note${index}`, { type: 'string' }])),
      owner: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
      ...Object.fromEntries(
        Array.from({ length: ENTITIES }, (_, other) => [
          `list${other}`,
          { type: 'array', items: { $ref: `#/$defs/E${other}` }, ...more },
        ]),
      ),
      ...Object.fromEntries(
        Array.from({ length: ENTITIES }, (_, other) => [
          `one${other}`,
          { anyOf: [{ $ref: `#/$defs/E${(own + other) % ENTITIES}` }, { type: 'object' }] },
        ]),
      ),
    },
  })
  return {
    $ref: '#/$defs/E0',
    $defs: Object.fromEntries(Array.from({ length: ENTITIES }, (_, own) => [`E${own}`, entity(own)])),
  }
}

function made(model: Schema, seed: number, space?: number): string {
  const generate = compileGenerator(model, { space })
  return JSON.stringify(generate(contentStream(seed, 'GET /users'), scopeOf()))
}

describe('an answer whose length nobody asks for', () => {
  it('is short, fits its model, and holds something of several of its lists', () => {
    const model = graph()
    const fits = new Ajv2020({ strict: false, formats: { email: true } }).compile(model)
    for (const seed of [1, 2, 3]) {
      const json = made(model, seed)
      expect(json.length).toBeLessThan(LIMIT)
      expect(json.length).toBeGreaterThan(LIMIT / 16)
      expect(fits(JSON.parse(json))).toBe(true)
      expect(
        Object.values(JSON.parse(json) as object).filter((value) => Array.isArray(value) && value.length > 0)
          .length,
      ).toBeGreaterThan(5)
    }
  })

  it('is the same whatever part of the model was made before', () => {
    const other = compileGenerator(graph())
    other(contentStream(7, 'GET /users'), scopeOf())
    expect(JSON.stringify(other(contentStream(1, 'GET /users'), scopeOf()))).toBe(made(graph(), 1))
  })

  it('has as many items as it must, however long that makes it', () => {
    const items = {
      type: 'object',
      properties: { text: { type: 'string', minLength: 500 } },
      required: ['text'],
    }
    const model = {
      type: 'object',
      properties: { all: { type: 'array', minItems: 300, items } },
      required: ['all'],
    }
    expect((JSON.parse(made(model, 1)) as { all: unknown[] }).all).toHaveLength(300)
  })

  it('leaves out of a short item what has no space, but nothing that is required', () => {
    const item = JSON.parse(made(graph(), 1, 800)) as Record<string, unknown>
    expect(Object.keys(item)).toEqual(expect.arrayContaining(['id', 'owner', 'note19']))
    expect(item['list3']).toEqual([])
    expect(item).not.toHaveProperty('one3')
  })

  it('is as it was where it cannot be long', () => {
    const model = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }
    expect(made(model, 1)).toBe(made(model, 1, 49_000))
  })
})

describe('the space of a list', () => {
  it.for([
    {
      what: 'as many as usual where they are short',
      item: { type: 'object', properties: { id: {} } },
      count: 100,
    },
    { what: 'ten where they could be long', item: graph(), count: 10 },
    { what: 'fewer where each must be long', item: { type: 'string', minLength: 20_000 }, count: 2 },
  ])('is for $what', ({ item, count }) => {
    expect(spaceOfList(item, 100).count).toBe(count)
  })
})
