import { describe, expect, it } from 'vitest'
import { expectedModel, isMap } from '../../src/shape/expected-model.ts'
import { observationsOf } from '../../src/shape/observation.ts'

describe('expected model', () => {
  const modelOf = (values: readonly unknown[], name?: string): unknown =>
    expectedModel(observationsOf(values), name)
  const times = (length: number, make: (index: number) => unknown): unknown[] =>
    Array.from({ length }, (_, index) => make(index))

  it.for<[string, unknown, unknown]>([
    [
      'a format, once it was seen thrice',
      modelOf(times(3, () => '2026-01-31')),
      { type: 'string', format: 'date' },
    ],
    ['no format before', modelOf(times(2, () => '2026-01-31')), { type: 'string' }],
    ['a closed set', modelOf(times(12, (n) => ['a', 'b'][n % 2])), { type: 'string', enum: ['a', 'b'] }],
    [
      'a closed set or null',
      modelOf([...times(12, () => 'a'), null]),
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['no set of few', modelOf(times(11, (n) => ['a', 'b'][n % 2])), { type: 'string' }],
    ['no set of sentences', modelOf(times(12, () => 'all is well')), { type: 'string' }],
    ['no set of many', modelOf(times(60, (n) => `v${n % 9}`)), { type: 'string' }],
    [
      'bounds far from what was seen',
      modelOf(times(12, (n) => n + 0.5)),
      { type: 'number', minimum: 0, maximum: 2000 },
    ],
    ['whole numbers, once there were enough', modelOf(times(12, () => -1)), { type: 'integer' }],
    ['any number before', modelOf(times(11, (n) => n)), { type: 'number' }],
    ['whole ids at once, and no bounds', modelOf([1], 'user_id'), { type: 'integer' }],
    [
      'ids without bounds',
      modelOf(
        times(20, (n) => n),
        'id',
      ),
      { type: 'integer' },
    ],
    [
      'several forms',
      modelOf(['a', 1, null]),
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    ['anything where there was only null', modelOf([null]), true],
    ['any items of empty lists', modelOf([[]]), { type: 'array', items: true }],
    [
      'what always comes',
      modelOf([{ a: 'x' }, { a: 'y', b: true }]),
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a'] },
    ],
    [
      'maps',
      modelOf([{ '2026-01': 'x' }, { '2026-02': 'y', '2026-03': 'z' }]),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
  ])('reports %s', ([, model, expected]) => {
    expect(model).toEqual(expected)
  })

  it('bounds the largest of numbers by nothing larger', () => {
    expect(modelOf(times(12, () => Number.MAX_VALUE))).toMatchObject({ maximum: Number.MAX_VALUE })
  })
})

describe('is map', () => {
  const isMapOf = (...values: readonly unknown[]): boolean => isMap(observationsOf(values))

  it.for<[string, boolean, boolean]>([
    ['names that are dates', true, isMapOf({ '2026-01-01': 1, '2026-01-02': 2 })],
    ['names that are addresses', true, isMapOf({ 'a@b.c': { n: 1 }, 'd@e.f': { n: 2 } })],
    [
      'names of one kind that come and go',
      true,
      isMapOf({ de: 'a', fr: 'b' }, { en: 'c', it: 'd' }, { de: 'e' }),
    ],
    [
      'many rare names of all kinds',
      true,
      isMapOf(
        ...Array.from({ length: 8 }, (_, index) => ({
          [`x${'abcdefgh'[index]}`]: index % 2 === 0 ? 1 : 'a',
        })),
      ),
    ],
    [
      'objects that share fields',
      true,
      isMapOf({ a: { n: 1 }, b: { n: 2 } }, { c: { n: 3 }, d: { n: 4, m: 1 } }),
    ],
    ['fields that always come', false, isMapOf({ a: 1, b: 2, c: 3, d: 4 }, { a: 1, b: 2, c: 3, d: 4 })],
    ['one field that always comes', false, isMapOf({ id: 1, b: 2, c: 3 }, { id: 1, d: 4, e: 5 })],
    ['a few optional fields', false, isMapOf({ a: 'x' }, { b: 'y' }, { c: 'z' })],
    ['fields of different kinds', false, isMapOf({ a: 'x', b: 1 }, { c: true, d: 'x' })],
    [
      'objects of different fields',
      false,
      isMapOf({ a: { x: 1 }, b: { y: 1 } }, { c: { z: 1 }, d: { w: 1 } }),
    ],
    ['numbered lines of an address', false, isMapOf({ line1: 'a', line2: 'b' }, { line1: 'c' })],
    [
      'fixed names that look like data',
      false,
      isMapOf(...Array.from({ length: 3 }, () => ({ '1h': 1, '24h': 2 }))),
    ],
    ['nothing', false, isMapOf({})],
  ])('knows %s: %s', ([, expected, actual]) => {
    expect(actual).toBe(expected)
  })
})
