import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { withExamples } from '../../../src/recording/inference/examples.ts'
import { schemaOfValues } from '../../../src/shape/observed-schema.ts'
import { valuesOf } from '../../engine/schema/generating.ts'

describe('examples of a model', () => {
  const made = (values: readonly unknown[], count = 40): unknown[] =>
    valuesOf(withExamples(schemaOfValues(values), values), count)

  it('keeps what every recorded value had', () => {
    const zone = { kind: 'Native', account: '', dnssec: false, serial: 0, masters: [], note: null }
    expect(made([zone, zone])).toEqual(Array.from({ length: 40 }, () => zone))
  })

  it('takes each text and number from the recording, whatever else it was recorded with', () => {
    const values = [
      { name: 'Ada', age: 36, tags: ['x', 'y'] },
      { name: 'Bob', age: 41, tags: ['z'] },
    ]
    for (const { name, age, tags } of made(values) as typeof values) {
      expect(['Ada', 'Bob']).toContain(name)
      expect([36, 41]).toContain(age)
      for (const tag of tags) expect(['x', 'y', 'z']).toContain(tag)
    }
  })

  it.for([
    [{ id: 'a' }, { id: 'b' }],
    [{ text: 'long '.repeat(100) }, { text: 'longer '.repeat(100) }],
  ])('leaves what a server makes anew to the generator: %j', (values) => {
    expect(withExamples(schemaOfValues(values), values)).toEqual(schemaOfValues(values))
  })

  it.for([
    ['3b5d5c3712955042212316173ccf37be', '2737b49252e2a4c0fe4c342e92b13285', /^[0-9a-f]{32}$/],
    ['"5d50a7df1a2ca68fd422b57ebc55aedb"', '"1659813700b648d05b9e291fcc0692a2"', /^"[0-9a-f]{32}"$/],
    ['W/"f3Ab81Kx90Qz"', 'W/"A0b1C2d3E4f5"', /^W\/"[0-9A-Za-z]{12}"$/],
  ] as const)('gives hashes and validators that are made anew the form of %s', ([one, other, form]) => {
    const all = made([{ tag: one }, { tag: other }]) as { readonly tag: string }[]
    for (const { tag } of all) expect(tag).toMatch(form)
    expect(new Set(all.map(({ tag }) => tag)).size).toBeGreaterThan(1)
  })

  it('keeps the name of an id empty where it always was', () => {
    const values = [{ sessionId: '' }, { sessionId: '' }]
    for (const each of made(values) as typeof values) expect(each).toEqual({ sessionId: '' })
  })

  it('keeps a list of plain values that was always the same', () => {
    const values = [
      { kinds: ['a', 'b'], at: '2026-01-05T10:00:00Z' },
      { kinds: ['a', 'b'], at: '2026-01-06T10:00:00Z' },
    ]
    for (const { kinds } of made(values) as typeof values) expect(kinds).toEqual(['a', 'b'])
  })

  it('takes times from the recording where they are too few to say that all are times', () => {
    const values = [{ at: '2026-01-05T10:00:00Z' }, { at: '2026-01-06T10:00:00Z' }]
    for (const { at } of made(values) as typeof values) expect(values.map((each) => each.at)).toContain(at)
  })

  it('depends on the values alone, and not on their order', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 20 }), (values) => {
        const examplesOf = (all: readonly unknown[]): Schema => withExamples(schemaOfValues(values), all)
        expect(examplesOf(values.toReversed())).toEqual(examplesOf(values))
      }),
    )
  })
})
