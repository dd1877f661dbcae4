import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { createResolver, namesIn, type Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'

const strings: Schema = { $dynamicAnchor: 'items', type: 'string' }
const list: Schema = {
  $id: 'list',
  type: 'array',
  minItems: 1,
  items: { $dynamicRef: '#items' },
  $defs: { anything: { $dynamicAnchor: 'items' } },
}

describe('a $dynamicRef', () => {
  it.for<[string, Schema]>([
    [
      'the one anchor of its name',
      { type: 'array', minItems: 1, items: { $dynamicRef: '#items' }, $defs: { strings } },
    ],
    [
      'an anchor',
      {
        type: 'array',
        minItems: 1,
        items: { $dynamicRef: '#x' },
        $defs: { s: { $anchor: 'x', type: 'string' } },
      },
    ],
    [
      'the anchor of the document before that of a part',
      { $id: 'https://a.example/root', $ref: 'list', $defs: { strings, list } },
    ],
  ])('refers to %s', ([, model]) => {
    const checker = createChecker(model)
    for (const value of valuesOf<string[]>(model)) {
      expect(value.every((each) => typeof each === 'string')).toBe(true)
      expect(checker.fits(value)).toBe(true)
    }
    expect([checker.fits(['a']), checker.fits([1])]).toEqual([true, false])
  })

  it('stays open where the way there decides', () => {
    const part = (name: string) => ({ $id: name, $dynamicAnchor: 'x' })
    const names = namesIn({ $defs: { a: part('a'), b: part('b') } })
    expect([
      names.staticReference('#x'),
      names.staticReference('#/$defs/a'),
      names.staticReference('#y'),
    ]).toEqual([undefined, '#/$defs/a', undefined])
  })

  it('has an anchor that a $ref may name, too', () => {
    expect(createResolver({ $defs: { strings } })('#items')).toBe(strings)
  })
})

it('makes no items that are to be of two types at once, where there need be none', () => {
  const items = { type: 'array', items: {}, anyOf: [{ type: 'object' }] }
  expect(fittingValuesOf({ type: 'array', items })[0]).toEqual([])
  expect(() => valuesOf({ type: 'array', items, minItems: 1 })).toThrow('nothing fits')
})

it('counts as evaluated what any part of a schema evaluates', () => {
  const field = (name: string) => ({ required: [name], properties: { [name]: { type: 'string' } } })
  const values = fittingValuesOf<object>({
    type: 'object',
    allOf: [field('a'), { oneOf: [field('b'), field('c')] }],
    unevaluatedProperties: false,
  })
  expect(new Set(values.map((each) => Object.keys(each).toSorted().join(' ')))).toEqual(
    new Set(['a b', 'a c']),
  )
})
