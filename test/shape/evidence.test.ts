import { describe, expect, it } from 'vitest'
import { isDictionary, unionOf } from '../../src/shape/evidence.ts'
import { observationOf } from '../../src/shape/observe.ts'
import { schemaOf } from '../../src/shape/observed-schema.ts'
import { withoutSeen } from './without-seen.ts'

const times = (length: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length }, (_, index) => make(index))

describe('a schema for comparison', () => {
  const modelOf = (values: readonly unknown[], name?: string): unknown =>
    withoutSeen(schemaOf(observationOf(values), 'comparison', name))

  it('reports how seldom something was seen, of the outermost place that is so', () => {
    const model = schemaOf(observationOf([{ a: true }, { a: false }, { a: true, b: [1, 2, 3] }]))
    expect(model).toMatchObject({ 'x-sim-seen': 3, properties: { b: { 'x-sim-seen': 1 } } })
    expect(model).not.toMatchObject({ properties: { a: { 'x-sim-seen': expect.anything() as unknown } } })
    expect(model).not.toMatchObject({
      properties: { b: { items: { 'x-sim-seen': expect.anything() as unknown } } },
    })
    const often = schemaOf(observationOf(times(3, () => times(4, (n) => n))), 'comparison')
    expect(often).toMatchObject({ 'x-sim-seen': 3 })
  })

  it.for<[string, unknown, unknown]>([
    [
      'a format that three different texts have',
      modelOf(times(3, (n) => `2026-01-3${n % 2}`).concat('2026-02-01')),
      { type: 'string', format: 'date' },
    ],
    ['no format of one text, however often', modelOf(times(20, () => '2026-01-31')), { type: 'string' }],
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
      'no set of ids',
      modelOf(
        times(12, () => 'a'),
        'user_id',
      ),
      { type: 'string' },
    ],
    [
      'texts that spell numbers',
      modelOf(times(12, (n) => `${n}.5`)),
      { type: 'string', pattern: expect.stringContaining('d') as string },
    ],
    [
      'bounds far from what was seen',
      modelOf(times(12, (n) => n + 0.5)),
      { type: 'number', minimum: 0, maximum: 2000 },
    ],
    ['whole numbers, once there were enough', modelOf(times(12, (n) => -n)), { type: 'integer' }],
    [
      'no whole numbers of a few values',
      modelOf(times(20, (n) => n % 3)),
      { type: 'number', minimum: 0, maximum: 200 },
    ],
    ['any number before', modelOf(times(11, (n) => n)), { type: 'number' }],
    ['whole ids at once, and no bounds', modelOf([1, 2, 3], 'user_id'), { type: 'integer' }],
    [
      'several forms',
      modelOf(['a', 1, null]),
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    ['anything where there was only null', modelOf([null]), true],
    ['any items of empty lists', modelOf([[], [], []]), { type: 'array', items: true }],
    [
      'what always comes',
      modelOf([{ a: 'x' }, { a: 'y' }, { a: 'z' }]),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'what always came, though not often',
      modelOf([{ a: true }, { a: false }]),
      {
        ...{ type: 'object', properties: { a: { type: 'boolean' } } },
        ...{ 'x-sim-usual': ['a'] },
      },
    ],
    [
      'dictionaries',
      modelOf([{ '2026-01': 'x' }, { '2026-02': 'y', '2026-03': 'z' }, {}]),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'tuples',
      modelOf(times(3, (n) => [n + 0.5, `${n}`])),
      {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: 'string' }],
        ...{ minItems: 2, maxItems: 2 },
      },
    ],
    [
      'unions by the member that decides the shape',
      modelOf(times(6, (n) => (n % 2 === 0 ? { kind: 'text', at: 1, body: 'a' } : { kind: 'gap', at: n }))),
      {
        type: 'object',
        properties: { kind: { type: 'string' }, at: { type: 'number' }, body: { type: 'string' } },
        required: ['kind', 'at'],
        'x-sim-forms': {
          member: 'kind',
          byText: {
            text: {
              type: 'object',
              properties: {
                kind: { type: 'string' },
                at: { type: 'number' },
                body: { type: 'string' },
              },
              required: ['kind', 'at', 'body'],
            },
            gap: {
              type: 'object',
              properties: { kind: { type: 'string' }, at: { type: 'number' } },
              required: ['kind', 'at'],
            },
          },
        },
      },
    ],
  ])('reports %s', ([, model, expected]) => {
    expect(model).toEqual(expected)
  })

  it('bounds the largest of numbers by nothing larger', () => {
    expect(modelOf(times(12, () => Number.MAX_VALUE))).toMatchObject({ maximum: Number.MAX_VALUE })
  })
})

describe('what decides the shape of objects', () => {
  const deciding = (values: readonly unknown[]): string | undefined =>
    unionOf(observationOf(values).objects)?.member

  it.for<[string, string | undefined, readonly unknown[]]>([
    [
      'what a member says of another',
      'resultType',
      [
        { resultType: 'vector', result: [{ metric: {} }] },
        { resultType: 'scalar', result: [1.5, '2'] },
        { resultType: 'scalar', result: [2.5, '3'] },
        { resultType: 'vector', result: [] },
        { resultType: 'scalar', result: [3.5, '3'] },
      ],
    ],
    ['nothing where all are alike', undefined, times(9, (n) => ({ kind: ['a', 'b'][n % 2], n }))],
    [
      'nothing where a name only happens to go with a field',
      undefined,
      [{ author: 'ann', views: 1 }, { author: 'bob' }, { author: 'ann', views: 2 }],
    ],
    [
      'any member that explains enough',
      'sort',
      times(20, (n) => (n % 2 === 0 ? { sort: 'x', tint: 'red', a: 1 } : { sort: 'y', tint: 'red', b: 1 })),
    ],
  ])('is %s', ([, member, values]) => {
    expect(deciding(values)).toBe(member)
  })
})

describe('a dictionary', () => {
  const isDictionaryOf = (...values: readonly unknown[]): boolean =>
    isDictionary(observationOf(values).objects)

  it.for<[string, boolean, boolean]>([
    ['names that are dates', true, isDictionaryOf({ '2026-01-01': 1, '2026-01-02': 2 })],
    ['names that are addresses', true, isDictionaryOf({ 'a@b.c': { n: 1 }, 'd@e.f': { n: 2 } })],
    ['one name that is an address', true, isDictionaryOf(...times(4, () => ({ 'n1@host': 'up' })))],
    ['a server by its port', true, isDictionaryOf({ 'db.example:5432': { up: true } })],
    ['one annotation', false, isDictionaryOf({ '@odata.type': 'a' })],
    [
      'names of one kind that come and go',
      true,
      isDictionaryOf({ de: 'a', fr: 'b' }, { en: 'c', it: 'd' }, { de: 'e' }),
    ],
    [
      'many rare names of all kinds',
      true,
      isDictionaryOf(...times(8, (n) => ({ [`x${'abcdefgh'[n]}`]: n % 2 === 0 ? 1 : 'a' }))),
    ],
    [
      'objects that share fields',
      true,
      isDictionaryOf({ a: { n: 1 }, b: { n: 2 } }, { c: { n: 3 }, d: { n: 4, m: 1 } }),
    ],
    [
      'fields that always come',
      false,
      isDictionaryOf({ a: 1, b: 2, c: 3, d: 4 }, { a: 1, b: 2, c: 3, d: 4 }),
    ],
    ['one field that always comes', false, isDictionaryOf({ id: 1, b: 2, c: 3 }, { id: 1, d: 4, e: 5 })],
    ['a few optional fields', false, isDictionaryOf({ a: 'x' }, { b: 'y' }, { c: 'z' })],
    ['fields of different kinds', false, isDictionaryOf({ a: 'x', b: 1 }, { c: true, d: 'x' })],
    [
      'objects of different fields',
      false,
      isDictionaryOf({ a: { x: 1 }, b: { y: 1 } }, { c: { z: 1 }, d: { w: 1 } }),
    ],
    ['numbered lines of an address', false, isDictionaryOf({ line1: 'a', line2: 'b' }, { line1: 'c' })],
    ['fixed names that look like data', false, isDictionaryOf(...times(3, () => ({ '1h': 1, '24h': 2 })))],
    ['nothing', false, isDictionaryOf({})],
  ])('knows %s: %s', ([, expected, actual]) => {
    expect(actual).toBe(expected)
  })
})
