import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteSink } from '../../../src/engine/schema/byte-sink.ts'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import { writerOf, type Scope } from '../../../src/engine/schema/generate.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { models } from './arbitrary-model.ts'
import { scopeOf } from './generating.ts'

const sink = new ByteSink()

type Both = (seed: number, index?: number, scope?: Partial<Scope>) => [written: string, made: string]

/** Makes the same value twice: written at once, and made and then written by JSON itself. */
function bothWays(model: Schema): Both {
  const [generate, write] = [compileGenerator(model), writerOf(compileGenerator(model))]
  return (seed, index = 0, scope = {}) => {
    const place = () => contentStream(seed, 'GET /x').child(index)
    const made = JSON.stringify(generate(place(), { ...scopeOf(), ...scope }))
    write(sink, place(), { ...scopeOf(), ...scope })
    return [Buffer.from(sink.take(), 'latin1').toString(), made]
  }
}

describe('a writer', () => {
  it('writes the bytes that JSON has for the value, whatever the model', () => {
    fc.assert(
      fc.property(models, fc.integer(), (model, seed) => {
        for (let index = 0; index < 5; index++) {
          let both: [string, string] | undefined
          try {
            both = bothWays(model)(seed, index)
          } catch {
            // A model that nothing fits is none the better for being written; its parts are left midway.
            sink.clear()
          }
          if (both !== undefined) expect(both[0]).toBe(both[1])
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('writes every kind of text and number in places of any name', () => {
    const names = [
      ...['id', 'name', 'email', 'created_at', 'city', 'title', 'price', 'age', 'note', 'country', 'x"y'],
      ...['é', '7'],
    ]
    const parts = [
      { type: 'string' },
      ...['uuid', 'date-time', 'email', 'date', 'uri', 'hostname'].map((format) => ({
        type: 'string',
        format,
      })),
      { type: 'integer', minimum: -2_147_483_649, maximum: 2_147_483_649 },
      { type: 'integer', minimum: -12, maximum: 12 },
      { type: 'number', minimum: -1, maximum: 1 },
      { type: 'integer', minimum: 1e15, maximum: 9e15 },
      { enum: ['a', 'ü"\\', 7, null, { b: 1 }] },
      { type: 'boolean' },
    ]
    for (const part of parts) {
      const properties = Object.fromEntries(names.map((name) => [name, part]))
      const both = bothWays({ title: 'User', type: 'object', required: names, properties })
      for (let seed = 0; seed < 200; seed++) {
        const [written, made] = both(seed)
        expect(written).toBe(made)
      }
    }
  })

  it.for<Schema>([
    { additionalProperties: false },
    {},
    { properties: {} },
    { properties: { id: { type: 'integer', ...FromInput('id') }, name: { type: 'string' } } },
    { properties: { inner: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } } },
  ])('gives the outermost object of %j the fields that are given', (schema) => {
    const properties = { id: { type: 'string' }, 'ü"': { type: 'string' } }
    const both = bothWays({ type: 'object', required: ['id'], properties, ...schema })
    for (const input of [{}, { id: 7 }]) {
      const [written, made] = both(1, 0, { input, given: { id: 'é', more: [1, null] } })
      expect(written).toBe(made)
    }
  })

  it('writes linked fields as they are bound, and leaves objects whose links look at each other to be made', () => {
    const model = {
      type: 'object',
      properties: {
        name: { type: 'string', ...FromInput('name') },
        other: { type: 'string', ...FromInput('other') },
        label: { type: 'string', ...ComputedFrom(['name'], (name) => `<${String(name)}>`) },
        inner: { type: 'object', required: ['n'], properties: { n: { type: 'integer', ...FromInput('n') } } },
      },
      required: ['name', 'other', 'label', 'inner'],
    }
    const { label: _label, ...plain } = model.properties
    const input = { name: 'A "quoted" nàme', n: 7 }
    for (const properties of [model.properties, plain]) {
      const required = Object.keys(properties)
      const [written, made] = bothWays({ type: 'object', required, properties })(42, 0, { input })
      expect(written).toBe(made)
      expect(JSON.parse(written)).toMatchObject({ name: input.name, inner: { n: 7 } })
    }
  })
})

const textOf = (sink: ByteSink): string => Buffer.from(sink.take(), 'latin1').toString()

describe('a byte sink', () => {
  it('writes any JSON value as JSON has it', () => {
    const sink = new ByteSink()
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        sink.value(value)
        expect(textOf(sink)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('writes any text and any number as JSON has them', () => {
    const sink = new ByteSink()
    const number = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(-0, 2 ** 31, -(2 ** 31)),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), number, (text, value) => {
        sink.text(text)
        sink.number(value)
        expect(textOf(sink)).toBe(JSON.stringify(text) + JSON.stringify(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('grows with what is written, and goes back to its first size afterwards', () => {
    const sink = new ByteSink()
    const first = sink.bytes.length
    const long = 'ä'.repeat(2_000_000)
    sink.text('x'.repeat(first))
    sink.text(long)
    expect(sink.bytes.length).toBeGreaterThan(4_000_000)
    expect(textOf(sink)).toBe(JSON.stringify('x'.repeat(first)) + JSON.stringify(long))
    expect(sink.bytes.length).toBe(first)
  })

  it('is empty after it was cleared', () => {
    const sink = new ByteSink()
    sink.plain('[1')
    sink.clear()
    sink.raw(Buffer.from('"a"'))
    sink.byte(0x2c)
    expect(textOf(sink)).toBe('"a",')
  })
})
