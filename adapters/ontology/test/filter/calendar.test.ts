import { describe, expect, it } from 'vitest'
import { addUnits, dateText, dayIn, midnightIn } from '../../src/filter/calendar.ts'

describe('the calendar', () => {
  it('knows the day of a moment in any time zone', () => {
    const moment = Date.parse('2026-01-01T00:30:00Z')
    expect(dateText(dayIn(moment, 'UTC'))).toBe('2026-01-01')
    expect(dateText(dayIn(moment, 'America/New_York'))).toBe('2025-12-31')
    expect(dateText(dayIn(moment, 'Pacific/Kiritimati'))).toBe('2026-01-01')
  })

  it('finds midnight on days when the clocks change', () => {
    const at = (year: number, month: number, day: number) =>
      new Date(midnightIn({ year, month: month - 1, day }, 'Europe/Berlin')).toISOString()
    // Between midnight here and midnight of UTC the clocks change.
    const auckland = midnightIn({ year: 2026, month: 8, day: 27 }, 'Pacific/Auckland')
    expect(new Date(auckland).toISOString()).toBe('2026-09-26T12:00:00.000Z')
    expect(at(2026, 3, 29)).toBe('2026-03-28T23:00:00.000Z')
    expect(at(2026, 3, 30)).toBe('2026-03-29T22:00:00.000Z')
    expect(at(2026, 10, 26)).toBe('2026-10-25T23:00:00.000Z')
  })

  it('adds units, to the last day of a month that is too short', () => {
    const from = { year: 2024, month: 0, day: 31 }
    expect(dateText(addUnits(from, 1, 'MONTH'))).toBe('2024-02-29')
    expect(dateText(addUnits(from, 13, 'MONTH'))).toBe('2025-02-28')
    expect(dateText(addUnits({ year: 2024, month: 1, day: 29 }, -1, 'YEAR'))).toBe('2023-02-28')
    expect(dateText(addUnits(from, 1, 'DAY'))).toBe('2024-02-01')
    expect(dateText(addUnits(from, -1, 'WEEK'))).toBe('2024-01-24')
  })
})
