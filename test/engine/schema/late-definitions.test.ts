import { describe, expect, it } from 'vitest'
import { createChecker, type Checker } from '../../../src/engine/schema/checker.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { ModelInvalid } from '../../../src/errors.ts'

const MANY = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`Other${n}`, { type: 'integer' }]))

const PET: Schema = {
  $ref: '#/$defs/Pet',
  $defs: {
    Pet: {
      allOf: [{ $ref: '#/$defs/Named' }],
      properties: { friends: { items: { $ref: '#/$defs/Pet' } }, owner: { $ref: '#/$defs/Owner' } },
    },
    Named: { properties: { name: { type: 'string', default: 'Rex' } }, required: ['name'] },
    Owner: { anyOf: [{ $ref: '#/$defs/Child' }, { $ref: '#/$defs/Adult' }] },
    Child: { properties: { age: { maximum: 17 }, toy: { default: 'ball' } }, required: ['age'] },
    Adult: { properties: { age: { minimum: 18 } }, required: ['age'], additionalProperties: false },
  },
}
const LARGE: Schema = { ...PET, $defs: { ...(PET['$defs'] as object), ...MANY } }

it('a checker decides on a choice of thousands', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `name${at}`)
  const oneOf = names.map((name) => ({ required: [name] }))
  const checker = createChecker({ properties: { all: { oneOf } } })
  const fits = (...given: string[]): boolean =>
    checker.fits({ all: Object.fromEntries(given.map((name) => [name, 1])) })
  expect([fits(), fits('name7'), fits('name7', 'name1999')]).toEqual([false, true, false])
})

// In one, these were compiled in time to the square of their number: 25 seconds.
it('a checker holds a value to thousands of members of an allOf, and fills in what they have', () => {
  const names = Array.from({ length: 4000 }, (_, at) => `p${at}`)
  const $defs = Object.fromEntries(
    names.map((name, at) => [name, { properties: { [name]: { type: 'integer', default: at } } }]),
  )
  const checker = createChecker(
    { $defs, allOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) },
    { defaults: true },
  )
  const value = { p7: 'a', p3999: 'b' }
  expect(checker.check(value).map(({ path }) => path)).toEqual([['p7'], ['p3999']])
  expect(value).toMatchObject({ p0: 0, p2500: 2500 })
  expect(Object.keys(value)).toHaveLength(4000)
}, 15_000)

describe('a checker of a model with many definitions', () => {
  it.for<unknown>([
    { name: 'Ada' },
    { name: 1 },
    { name: 'Ada', friends: [{ name: 'Bob', friends: [{ name: 2 }] }] },
    { name: 'Ada', owner: { age: 20 } },
    { name: 'Ada', owner: { age: 20, more: 1 } },
    { friends: [{}], owner: { age: 20 } },
  ])('says of %j what it says with few, and fills in the same', (value) => {
    for (const options of [{}, { defaults: true }]) {
      const judge = (root: Schema): unknown => {
        const [checker, own] = [createChecker(root, options), structuredClone(value)]
        return [checker.check(own), own]
      }
      expect(judge(LARGE)).toEqual(judge(PET))
    }
  })

  it.for(['anyOf', 'oneOf'])('looks at as few members of %s as can fit, and says the same', (keyword) => {
    const member = (kind: string): Schema => ({
      allOf: [
        { $ref: '#/$defs/Base' },
        { properties: { kind: { const: kind }, [kind]: { type: 'integer' } } },
      ],
    })
    const kinds = Array.from({ length: 10 }, (_, index) => `kind${index}`)
    const either = {
      ...Object.fromEntries(kinds.map((kind) => [kind, member(kind)])),
      Base: { type: 'object', required: ['kind'], properties: { size: { default: 3 } } },
      Any: { [keyword]: [...kinds.map((kind) => ({ $ref: `#/$defs/${kind}` })), { type: 'string' }] },
    }
    const root = { $ref: '#/$defs/Any' }
    const [few, many] = [either, { ...either, ...MANY }].map(($defs) => createChecker({ ...root, $defs }))
    const values = [
      { kind: 'kind3' },
      { kind: 'kind3', kind3: 'x' },
      { kind: 'other' },
      {},
      'text',
      3,
      null,
      [],
    ]
    for (const value of values) {
      expect(many?.fits(value)).toBe(few?.fits(value))
      const [own, all] = [many?.check(value) ?? [], few?.check(value) ?? []]
      expect(all).toEqual(expect.arrayContaining([...own]))
      expect(own.at(-1)).toEqual(all.at(-1))
    }
    const filling = createChecker({ ...root, $defs: { ...either, ...MANY } }, { defaults: true })
    const given = { kind: 'kind3' }
    expect([filling.check(given), given]).toEqual([[], { kind: 'kind3' }])

    const unseen = { ...either, ...MANY, kind4: { allOf: [member('kind4'), { type: 'no such type' }] } }
    const late = createChecker({ ...root, $defs: unseen })
    expect([late.fits({ kind: 'kind3' }), late.fits(null)]).toEqual([true, false])
    expect(() => late.fits({ kind: 'kind4' })).toThrow(ModelInvalid)
  })

  it('tests a part of its model', () => {
    const part = { $ref: '#/$defs/Owner', required: ['toy'] }
    const judge = (checker: Checker): unknown => [
      checker.fits({ age: 3, toy: 1 }, part),
      checker.check({ age: 3 }, part),
      checker.fits({ toy: 1 }, part),
    ]
    expect(judge(createChecker(LARGE))).toEqual(judge(createChecker(PET)))
  })

  it('compiles a definition when a value first reaches it', () => {
    const checker = createChecker({
      properties: {
        good: { $ref: '#/$defs/Other1' },
        bad: { $ref: '#/$defs/Bad' },
        gone: { $ref: '#/$defs/Owner' },
      },
      $defs: { ...MANY, Bad: { type: 'no such type' }, Owner: { $ref: '#/$defs/Gone' } },
    })
    expect([checker.fits({ good: 1 }), checker.fits({ good: 'x' })]).toEqual([true, false])
    expect(() => checker.fits({ bad: 1 })).toThrow(ModelInvalid)
    expect(() => checker.fits({ gone: 1 })).toThrow(/Owner is not a valid JSON Schema: .*Gone/)
  })

  it.for<[string, Schema, unknown]>([
    ['itself', { properties: { next: { $ref: '#' }, v: { type: 'integer' } } }, { next: { v: '1' } }],
    ['a part of a definition', { properties: { v: { $ref: '#/$defs/Deep/properties/a' } } }, { v: 1 }],
    [
      'what has evaluated a field',
      { allOf: [{ $ref: '#/$defs/Deep' }], unevaluatedProperties: false },
      { a: 'x', b: 1 },
    ],
    ['a name', { properties: { v: { $ref: '#deep' } } }, { v: { a: 1 } }],
  ])('follows references to %s', ([, own, bad]) => {
    const deep = { $anchor: 'deep', properties: { a: { type: 'string' } } }
    const checker = createChecker({ ...own, $defs: { ...MANY, Deep: deep } })
    expect([checker.fits({}), checker.fits(bad)]).toEqual([true, false])
  })
})
