import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { onLimit } from '../../../src/engine/limit-notes.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { Budget } from '../../../src/engine/schema/budget.ts'
import { ByteSink } from '../../../src/engine/schema/byte-sink.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import { type Scope, writerOf } from '../../../src/engine/schema/generate.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { SimError } from '../../../src/errors.ts'
import { scopeOf } from './generating.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

const BYTES = 20_000

function smallScope(): Scope & { readonly budget: Budget } {
  return { ...scopeOf(), budget: new Budget(BYTES) }
}

/** The JSON of a model's value within a small budget, made and written, and what is said to be cut. */
function madeOf(model: Schema): { readonly json: string; readonly cut: string | undefined } {
  const generate = compileGenerator(model)
  const stream = () => contentStream(1, 'GET /x').child(0)
  const [scope, other, sink] = [smallScope(), smallScope(), new ByteSink()]
  const json = JSON.stringify(generate(stream(), scope))
  writerOf(generate)(sink, stream(), other)
  expect(sink.takeText()).toBe(json)
  expect(other.budget.cut).toBe(scope.budget.cut)
  return { json, cut: scope.budget.cut }
}

let nested: Schema = { type: 'string' }
for (let level = 0; level < 6; level++) nested = { type: 'array', minItems: 100, items: nested }

const fan = Object.fromEntries(
  Array.from({ length: 30 }, (_, index): [string, Schema] => {
    const part = { $ref: `#/$defs/A${index + 1}` }
    return [
      `A${index}`,
      { type: 'object', required: ['a', 'b', 'c'], properties: { a: part, b: part, c: part } },
    ]
  }),
)

const chain = Object.fromEntries(
  Array.from({ length: 1000 }, (_, index): [string, Schema] => [
    `A${index}`,
    { type: 'object', required: ['a'], properties: { a: { $ref: `#/$defs/A${index + 1}` } } },
  ]),
)

function partsOf(prefix: string, count: number): Schema[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'object',
    properties: { [`${prefix}${index}`]: { type: 'integer' } },
    required: [`${prefix}${index}`],
  }))
}

describe('an answer that would be too large', () => {
  it.for<[string, Schema, string]>([
    ['items', { type: 'array', minItems: 1e9 }, '625 of 1000000000 items'],
    ['different items', { type: 'array', minItems: 1e9, uniqueItems: true }, '625 of 1000000000 items'],
    ['wanted items', { contains: { type: 'string' }, minContains: 1e9, type: 'array' }, '625 of 10000 items'],
    ['items of items', nested, '25 of 100 items'],
    ['characters', { type: 'string', minLength: 1e9 }, '1048576 of 1000000000 characters'],
    ['a drawn text', { type: 'string', minLength: 1e9, pattern: '^a+$' }, '100000 of 1000000000 characters'],
    ['a formatted text', { type: 'string', minLength: 30_000, format: 'email' }, '20000 of 30000 characters'],
    ['drawn texts', { type: 'array', minItems: 9, items: { pattern: '^(a{100}){90}$' } }, 'nothing below'],
    ['entries', { type: 'object', minProperties: 1e9 }, '625 of 1000000000 further entries'],
    ['fields', { $ref: '#/$defs/A0', $defs: { ...fan, A30: { type: 'string' } } }, 'nothing below'],
    ['levels', { $ref: '#/$defs/A0', $defs: { ...chain, A1000: {} } }, 'nothing below 200 levels'],
    ['constants', { type: 'array', minItems: 9, items: { const: 'x'.repeat(5000) } }, 'nothing below'],
  ])('has as many %s as it can afford, and says so', ([, model, has]) => {
    const { json, cut } = madeOf(model)
    expect(json.length).toBeLessThan(4 * BYTES)
    expect(cut).toContain(has)
  })

  it('is named once, by route and place', () => {
    const notes: string[] = []
    ended.push(onLimit((note) => notes.push(note)))
    const model = { title: 'Crowd', properties: { all: { type: 'array', minItems: 1e9 } } }
    madeOf(model)
    madeOf(model)
    expect(notes).toEqual(['GET /x: Crowd.all is cut, it has 624 of 1000000000 items'])
  })

  // Before, each of these took minutes, or the stack was full.
  it.for<[string, (count: number) => Schema]>([
    [
      'each of one list with each of another',
      (count) => ({ anyOf: partsOf('a', count), oneOf: partsOf('b', count) }),
    ],
    ['all of a list', (count) => ({ allOf: partsOf('a', count) })],
  ])('is made of %s, though they are many', ([, modelOf]) => {
    const model = modelOf(600)
    expect(createChecker(model).check(JSON.parse(madeOf(model).json))).toEqual([])
  })

  it('is thrown away as often as there are steps for', () => {
    let never: Schema = { type: 'string', not: { type: 'string' } }
    for (let level = 0; level < 8; level++)
      never = { type: 'object', required: ['x'], properties: { x: never }, not: { required: ['x'] } }
    const scope = smallScope()
    compileGenerator(never)(contentStream(1, 'GET /x'), scope)
    expect(scope.budget.steps).toBeLessThan(0)
  })

  it('is tested as often as there are steps for', () => {
    const $defs: Record<string, Schema> = { N24: { type: 'object', properties: { x: { type: 'integer' } } } }
    for (let level = 0; level < 24; level++) {
      const next = { $ref: `#/$defs/N${level + 1}` }
      $defs[`N${level}`] = { oneOf: [next, next, { allOf: [next, next] }] }
    }
    const { cut } = madeOf({ title: 'Choice', $ref: '#/$defs/N0', $defs })
    expect(cut).toMatch(/ is cut, it has what was not tested in time$/)
  })
})

const huge = fc.constantFrom(0, 1, 3, 70, 1e9)
const hostile = fc.letrec<{ schema: Schema }>((tie) => {
  const part = tie('schema')
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', '__proto__', 'constructor'), { maxLength: 3 })
  return {
    schema: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.constantFrom<Schema>(
        {},
        { type: 'string', format: 'uuid', maxLength: 5 },
        { type: 'string', format: 'date-time', minLength: 100 },
        { type: 'string', pattern: '^(a+)+$', minLength: 1e8 },
        { type: 'string', pattern: '^((a{100}){100}){100}$' },
        { type: 'string', pattern: '(?=(x+x+)+y)', maxLength: 2 },
        { type: 'integer', minimum: 5, maximum: 1 },
        { type: 'integer', enum: ['a'] },
        { type: 'number', multipleOf: 1e-300, minimum: 1e308 },
        { type: 'number', exclusiveMinimum: 1.7e308 },
        { type: 'integer', multipleOf: 1e300, minimum: 1 },
      ),
      ...['A', 'B', 'C'].map((name) => fc.constant<Schema>({ $ref: `#/$defs/${name}` })),
      fc.record({ type: fc.constant('string'), minLength: huge }),
      fc.record({ type: fc.constant('array'), items: part, minItems: huge, uniqueItems: fc.boolean() }),
      fc.record({ type: fc.constant('array'), contains: part, minContains: huge }),
      fc.record({ type: fc.constant('object'), minProperties: huge, additionalProperties: part }),
      fc.tuple(names, part, fc.boolean()).map(([required, each, isClosed]) => ({
        type: 'object',
        required,
        properties: Object.fromEntries(required.map((name) => [name, each])),
        ...(isClosed && { additionalProperties: false }),
      })),
      fc.record({ allOf: parts }),
      fc.record({ anyOf: parts }),
      fc.record({ oneOf: parts }),
      fc.record({ not: part }),
      fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^(a+)+$', 'a*b*c'), part) }),
    ),
  }
}).schema

describe('whatever a model asks for', () => {
  it('is made and checked within bounds, or refused by name', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (A, B, C) => {
        const model = { $ref: '#/$defs/A', $defs: { A, B, C } }
        const scope = smallScope()
        try {
          const value = compileGenerator(model)(contentStream(1, 'GET /x'), scope)
          expect((JSON.stringify(value) ?? '').length).toBeLessThan(8 * BYTES)
          createChecker(model).check(value)
        } catch (error) {
          if (!SimError.is(error)) throw error
        }
      }),
      { numRuns: 150 },
    )
  })
})
