import { describe, expect, it } from 'vitest'
import { findDateRanges } from '../../../src/recording/inference/date-ranges.ts'
import { samplesOf } from './samples.ts'

const ask = (start: string, end: string, ...dates: string[]): [string, object] => [
  `GET /events?start_date=${start}&end_date=${end}`,
  { response: dates.map((at) => ({ at, made: '2020-01-01' })) },
]

describe('findDateRanges', () => {
  it('finds a field that is always within, days counted whole', () => {
    const samples = samplesOf(
      ask('2026-01-01', '2026-01-31', '2026-01-05', '2026-01-31T23:00:00Z'),
      ask('2026-02-01', '2026-02-28', '2026-02-02'),
      ask('2026-03-01', '2026-03-31', '2026-03-31'),
    )
    expect(findDateRanges(samples)).toEqual([
      { field: '[].at', start: 'start_date', end: 'end_date', exchanges: 3 },
    ])
  })

  it('takes one date outside for a refutation', () => {
    const samples = samplesOf(
      ask('2026-01-01', '2026-01-31', '2026-01-05', '2026-02-01'),
      ask('2026-02-01', '2026-02-28', '2026-02-02'),
      ask('2026-03-01', '2026-03-31', '2026-03-31'),
    )
    expect(findDateRanges(samples)).toEqual([])
  })

  it('does not believe one range asked again and again', () => {
    const same = ask('2026-01-01', '2026-01-31', '2026-01-05')
    expect(findDateRanges(samplesOf(same, same, same))).toEqual([])
  })
})
