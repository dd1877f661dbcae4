import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { addUnits, dayIn, startOfDay } from '../../src/filter/relative-date.ts'

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)
const startOf = (text: string, zone: string): string => new Date(startOfDay(day(text), zone)).toISOString()

describe('the calendar', () => {
  it('knows the day of a moment in any time zone', () => {
    const moment = Date.parse('2026-01-01T00:30:00Z')
    expect(String(dayIn(moment, 'UTC'))).toBe('2026-01-01')
    expect(String(dayIn(moment, 'America/New_York'))).toBe('2025-12-31')
    expect(String(dayIn(moment, 'Pacific/Kiritimati'))).toBe('2026-01-01')
  })

  it('finds midnight on days when the clocks change', () => {
    // Between midnight here and midnight of UTC the clocks change.
    expect(startOf('2026-09-27', 'Pacific/Auckland')).toBe('2026-09-26T12:00:00.000Z')
    expect(startOf('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(startOf('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
    expect(startOf('2026-10-26', 'Europe/Berlin')).toBe('2026-10-25T23:00:00.000Z')
  })

  it('begins a day that has no midnight at 01:00', () => {
    expect(startOf('2024-09-08', 'America/Santiago')).toBe('2024-09-08T04:00:00.000Z')
    expect(startOf('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z')
  })

  it('adds units, to the last day of a month that is too short', () => {
    const from = day('2024-01-31')
    expect(String(addUnits(from, 1, 'MONTH'))).toBe('2024-02-29')
    expect(String(addUnits(from, 13, 'MONTH'))).toBe('2025-02-28')
    expect(String(addUnits(day('2024-02-29'), -1, 'YEAR'))).toBe('2023-02-28')
    expect(String(addUnits(from, 1, 'DAY'))).toBe('2024-02-01')
    expect(String(addUnits(from, -1, 'WEEK'))).toBe('2024-01-24')
  })
})
