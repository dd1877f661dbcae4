import { describe, expect, it } from 'vitest'
import { expectedModel } from '../../../src/recording/drift/expected-model.ts'
import { createSeen, see } from '../../../src/recording/drift/seen.ts'

function modelOf(values: readonly unknown[], name?: string): unknown {
  const seen = createSeen()
  for (const value of values) see(seen, value)
  return expectedModel(seen, name)
}

function times(count: number, make: (index: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

describe('expectedModel', () => {
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
  ])('tells %s', ([, model, expected]) => {
    expect(model).toEqual(expected)
  })

  it('bounds the largest of numbers by nothing larger', () => {
    expect(modelOf(times(12, () => Number.MAX_VALUE))).toMatchObject({ maximum: Number.MAX_VALUE })
  })
})
