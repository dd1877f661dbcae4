import { describe, expect, it } from 'vitest'
import { draw, shrink } from './draw.ts'
import { formatStrategy } from '../../../src/testing/strategy/string.ts'
import { TEXT_FORMATS } from './models.ts'

describe('stringStrategy', () => {
  it.for([
    { type: 'string' },
    { type: 'string', minLength: 3, maxLength: 5 },
    { type: 'string', maxLength: 0 },
    { type: 'string', minLength: 1000 },
    { type: 'string', pattern: '^[a-z]+-[a-z]+$', minLength: 20, maxLength: 24 },
    { type: 'string', pattern: '^[a-f]+$', minLength: 30 },
    { type: 'string', pattern: '^\\d*$', maxLength: 3 },
    { type: 'string', pattern: '^\\p{Lu}{2,}$', maxLength: 4 },
    { type: 'string', pattern: '^.{2,40}$', minLength: 30 },
    { type: 'string', pattern: '^x{3}$' },
    { type: 'string', pattern: '^[^a]{3}$' },
    { type: 'string', pattern: '^(?=.*\\d)(?=.*[A-Z])[A-Za-z\\d]{8,}$', maxLength: 12 },
    { type: 'string', pattern: '^(a|b)\\1$' },
    { type: 'string', pattern: '\\bfoo\\b' },
    { type: 'string', format: 'email', pattern: '@example\\.com$' },
    { type: 'string', format: 'date', pattern: '^2024' },
    { type: 'string', format: 'email', minLength: 30, maxLength: 40 },
    { type: 'string', format: 'uri', maxLength: 14 },
    { type: 'string', format: 'unknown' },
    { format: 'uuid' },
  ])('draws texts of %j', (model) => {
    for (const value of draw(model)) expect(value).toBeTypeOf('string')
  })

  it('counts code points, and draws other letters than ASCII', () => {
    const texts = draw({ type: 'string', minLength: 4, maxLength: 4 }, 300) as string[]
    expect(new Set(texts.map((text) => Array.from(text).length))).toEqual(new Set([4]))
    expect(texts.some((text) => text.length > 4)).toBe(true)
  })

  it('shrinks to the shortest and plainest text', () => {
    expect(shrink({ type: 'string' }, (text: string) => !text.includes('a'))).toBe('a')
    expect(shrink({ type: 'string', minLength: 2 }, () => false)).toBe('  ')
    expect(shrink({ type: 'string', format: 'email' }, () => false)).toBe('a@a.aa')
  })

  it.for([
    [{ type: 'string', minLength: 4, maxLength: 3 }, 'allows no value at all'],
    [{ type: 'string', pattern: '^[a-z]{3}$', minLength: 4 }, 'none of 2000 drawn values fits its schema'],
  ] as const)('refuses %j', ([model, message]) => {
    expect(() => draw(model)).toThrow(message)
  })
})

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
