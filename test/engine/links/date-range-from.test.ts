import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { DateRangeFrom } from '../../../src/engine/links/date-range-from.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { scopeOf, valuesOf } from '../schema/generating.ts'
import { fieldOf, linkedText } from './linking.ts'

const moment = { type: 'string', format: 'date-time', ...DateRangeFrom('start', 'end') }
const day = { type: 'string', format: 'date', ...DateRangeFrom('start', 'end') }
const between = (start: unknown, end: unknown, field: object = moment): string =>
  String(fieldOf({ ...field }, { start, end }))
const many = (start: string, end: string, field: object = moment): string[] =>
  valuesOf<{ f: string }>(
    { type: 'object', required: ['f'], properties: { f: field } },
    300,
    scopeOf({ start, end }),
  ).map(({ f }) => f)

describe('DateRangeFrom', () => {
  it('gives moments between two dates, the whole last day included', () => {
    const moments = many('2024-02-28', '2024-03-01')
    expect(
      moments.every((each) => each >= '2024-02-28T00:00:00.000Z' && each < '2024-03-01T23:59:59.000Z'),
    ).toBe(true)
    expect(moments.some((each) => each.startsWith('2024-02-29'))).toBe(true)
    expect(moments.some((each) => each.startsWith('2024-03-01T2'))).toBe(true)
    expect(new Set(moments).size).toBeGreaterThan(290)
  })

  it('gives moments between two date-times, of any offset', () => {
    const moments = many('2024-01-01T10:00:00+02:00', '2024-01-01 08:00:10.5')
    expect(
      moments.every((each) => each >= '2024-01-01T08:00:00.000Z' && each < '2024-01-01T08:00:10.500Z'),
    ).toBe(true)
  })

  it('takes a plain date as the end of that day after a date-time of the same day', () => {
    const moments = many('2024-01-01T12:00:00Z', '2024-01-01')
    expect(moments.every((each) => each >= '2024-01-01T12:00' && each < '2024-01-01T23:59:59.001Z')).toBe(
      true,
    )
    expect(new Set(moments).size).toBeGreaterThan(290)
  })

  it.for([
    ['2024-01-01', '2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-01-02', '2024-01-01', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-05T00:00:00Z', '2024-01-01', '2024-01-05T00:00:00.000Z'],
    ['2024-01-02T03:04:05-0130', '2023-01-01', '2024-01-02T04:34:05.000Z'],
    ['2024-01-02t03:04z', '2023-01-01', '2024-01-02T03:04:00.000Z'],
  ] as const)('gives the start of the empty or inverted range %s to %s', ([start, end, expected]) => {
    expect(between(start, end)).toBe(expected)
  })

  it('gives a date to a field of format date', () => {
    expect(new Set(many('2024-02-28', '2024-03-01', day))).toEqual(
      new Set(['2024-02-28', '2024-02-29', '2024-03-01']),
    )
  })

  it.for<[unknown, unknown]>([
    [undefined, '2024-01-01'],
    ['2024-01-01', undefined],
    ['2024-01-01', null],
    ['soon', '2024-01-01'],
    ['2024-01-01', '01/02/2024'],
    ['2024-1-1', '2024-01-02'],
    ['2024-02-30', '2024-03-02'],
    ['2024-02-30T10:00:00Z', '2024-03-02'],
    ['2024-13-01', '2024-13-02'],
    ['2024-01-01T25:00:00Z', '2024-03-02'],
    [1_700_000_000, 1_800_000_000],
    ['', ''],
  ])('leaves the field generated for %j to %j', ([start, end]) => {
    expect(between(start, end)).toMatch(/^202[0-5]-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  it('stays within any range', () => {
    const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, date, (a, b) => {
        const [start, end] = [
          new Date(Math.min(Number(a), Number(b))),
          new Date(Math.max(Number(a), Number(b))),
        ]
        const value = Date.parse(between(start.toISOString(), end.toISOString()))
        expect(value).toBeGreaterThanOrEqual(Number(start))
        expect(value).toBeLessThanOrEqual(Number(end))
      }),
      { numRuns: 200 },
    )
  })

  describe('in another time zone', () => {
    const { TZ } = process.env
    afterEach(() => {
      if (TZ === undefined) delete process.env['TZ']
      else process.env['TZ'] = TZ
    })

    it('gives the same moments', () => {
      const ranges = [
        ['2024-03-30', '2024-04-01'],
        ['2024-03-31T02:30:00', '2024-03-31T03:30'],
        ['2024-01-01T00:00:00+05:30', '2024-01-01'],
      ] as const
      const all = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'].map((zone) => {
        process.env['TZ'] = zone
        expect(new Date(0).getTimezoneOffset() === 0).toBe(zone === 'UTC')
        return ranges.map(([start, end]) => [many(start, end), many(start, end, day)])
      })
      for (const each of all) expect(each).toEqual(all[0])
    })
  })

  it('is written in data as its two fields', () => {
    const field = linkedText({ dateRangeFrom: ['start', 'end'] })
    expect(between('2024-01-01', '2024-01-01', field)).toBe('2024-01-01T00:00:00.000Z')
    expect(linkOf(field)?.inputFields).toEqual(['start', 'end'])
    expect(() => linkOf(linkedText({ dateRangeFrom: 'start' }))).toThrow(
      'dateRangeFrom takes the names of two input fields',
    )
  })
})
