import { describe, expect, it } from 'vitest'
import { formatStrategy } from '../../../src/testing/strategy/string.ts'
import { draw } from './draw.ts'
import { TEXT_FORMATS } from './models.ts'

describe('formatStrategy', () => {
  it.for(TEXT_FORMATS)('draws texts of the format %s', (format) => {
    const texts = draw({ type: 'string', format }, 300) as string[]
    expect(new Set(texts).size).toBeGreaterThan(20)
  })

  it.for(['idn-email', 'idn-hostname', 'iri', 'iri-reference'])(
    'knows %s, which validators do not',
    (format) => {
      expect(formatStrategy(format)).toBeDefined()
      expect(new Set(draw({ type: 'string', format })).size).toBeGreaterThan(20)
    },
  )

  it('does not know other names', () => {
    expect(formatStrategy('colour')).toBeUndefined()
  })

  it('draws dates far away and near', () => {
    const years = (draw({ type: 'string', format: 'date' }, 300) as string[]).map((date) =>
      Number(date.slice(0, 4)),
    )
    expect(years.some((year) => year < 1900)).toBe(true)
    expect(years.filter((year) => year >= 2000 && year < 2030).length).toBeGreaterThan(50)
  })
})
