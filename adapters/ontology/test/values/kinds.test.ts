import { describe, expect, it } from 'vitest'
import { readType } from '../../src/fixture/property-types.ts'
import { accepts, encode, expected, kindOf } from '../../src/values/kinds.ts'
import { TYPE_NAMES, typeText } from '../../src/values/value.ts'

const ring = [
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ],
]

/** Of each type some values that fit, and some that do not. */
const VALUES: Readonly<
  Record<string, readonly [type: unknown, fit: readonly unknown[], unfit: readonly unknown[]]>
> = {
  string: ['string', ['', 'x'], [1, true, {}]],
  integer: ['integer', [0, -(2 ** 31), 2 ** 31 - 1], [2 ** 31, 1.5, '1']],
  short: ['short', [32_767], [32_768]],
  byte: ['byte', [-128, 127], [128]],
  long: ['long', [7, '9223372036854775807'], ['9223372036854775808', 2 ** 53, 'x', 1.5]],
  float: ['float', [1.5], [Infinity, '1']],
  double: ['double', [1e300], [Number.NaN]],
  decimal: ['decimal', [1.25, '-12.50'], ['1e5', '.5', true]],
  boolean: ['boolean', [true, false], ['true', 1]],
  date: ['date', ['2024-02-29'], ['2023-02-29', '2024-1-1', 20240101]],
  timestamp: [
    'timestamp',
    ['2024-02-29T12:00Z', '2024-01-01T00:00:00.123+02:00'],
    ['2024-01-01', '2023-02-29T00:00:00Z', '2024-01-01T00:00:00'],
  ],
  array: [{ type: 'array', subType: 'integer' }, [[], [1, 2]], [[1, 'x'], 1]],
  struct: [
    { type: 'struct', fields: { a: 'integer' } },
    [{}, { a: 1 }, { a: null }],
    [{ b: 1 }, { a: 'x' }, []],
  ],
  geopoint: [
    'geopoint',
    [{ type: 'Point', coordinates: [180, -90] }],
    [{ type: 'Point', coordinates: [181, 0] }, [1, 2]],
  ],
  geoshape: [
    'geoshape',
    [
      { type: 'Polygon', coordinates: ring },
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 1] }] },
    ],
    [
      { type: 'Circle', coordinates: [1, 1] },
      { type: 'Polygon', coordinates: [] },
      { type: 'GeometryCollection' },
      null,
    ],
  ],
  attachment: ['attachment', [{ rid: 'ri.a.b.c.d' }], ['x', { rid: '' }]],
  mediaReference: ['mediaReference', [{ mimeType: 'x' }], ['x']],
  timeseries: ['timeseries', ['series-1', { seriesId: 'x' }], ['', 1]],
  geotimeSeriesReference: ['geotimeSeriesReference', [{}], ['x']],
  marking: ['marking', ['m'], [1]],
  cipherText: ['cipherText', ['CIPHER::x::CIPHER'], [1]],
  vector: [{ type: 'vector', dimension: 2 }, [[1, 2.5]], [[1], [1, 'x']]],
}

describe('the values of a type', () => {
  it('are those that fit it, and no others', () => {
    expect(Object.keys(VALUES).toSorted()).toEqual([...TYPE_NAMES].toSorted())
    for (const [name, [source, fit, unfit]] of Object.entries(VALUES)) {
      const type = readType(source as string)
      expect([name, fit.filter((value) => !accepts(value, type))]).toEqual([name, []])
      expect([name, unfit.filter((value) => accepts(value, type))]).toEqual([name, []])
      expect(expected(type)).toContain(name)
    }
  })

  it('are sent in their encoding', () => {
    const sent = (source: unknown, value: unknown): unknown => encode(value, readType(source as string))
    expect(sent('long', 7)).toBe('7')
    expect(sent('decimal', 12.5)).toBe('12.5')
    expect(sent('timestamp', '2024-01-01T02:00:00+02:00')).toBe('2024-01-01T00:00:00.000Z')
    expect(sent({ type: 'array', subType: 'long' }, [1, '2'])).toEqual(['1', '2'])
    expect(sent({ type: 'struct', fields: { a: 'long', b: 'string' } }, { a: 1, b: null })).toEqual({
      a: '1',
    })
    expect(sent('boolean', false)).toBe(false)
  })

  it('are read from texts', () => {
    const read = (name: string, text: string): unknown => kindOf(readType(name)).parse?.(text)
    expect([read('integer', '007'), read('integer', '1.5')]).toEqual([7, undefined])
    expect([read('long', '007'), read('long', 'x')]).toEqual(['7', undefined])
    expect([read('double', '1e3'), read('double', ' ')]).toEqual([1000, undefined])
    expect([read('decimal', '1.50'), read('decimal', 'x')]).toEqual(['1.50', undefined])
    expect([read('boolean', 'true'), read('boolean', 'false'), read('boolean', '1')]).toEqual([
      true,
      false,
      undefined,
    ])
    expect([read('date', '2024-01-01'), read('date', 'today')]).toEqual(['2024-01-01', undefined])
    expect(read('timestamp', 'now')).toBeUndefined()
  })

  it('are named with their elements', () => {
    expect(typeText(readType({ type: 'array', subType: 'date' }))).toBe('array<date>')
  })
})
