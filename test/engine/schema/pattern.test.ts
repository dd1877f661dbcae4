import { describe, expect, it } from 'vitest'
import { compilePattern, isWithin } from '../../../src/engine/schema/pattern.ts'
import { contentStream } from '../../../src/engine/random.ts'

const stream = contentStream(1, 'patterns')
const draws = (pattern: string, least = 0, most = Infinity): string[] => {
  const draw = compilePattern(pattern, { least, most })
  return Array.from({ length: 30 }, (_, index) => draw(stream.child(index)))
}

describe('compilePattern', () => {
  it.for([
    '^[a-z]+$',
    '^(foo|ba[rz])*$',
    '^\\d{3}-\\w{2,4}$',
    '^[^a-z]{5}$',
    '^\\p{Lu}\\p{Letter}{3}[\\p{Nd}_]$',
    '^\\p{Script=Latin}\\p{P}\\p{Zs}$',
    '^[äöü]{2}$',
    '^[^\\x20-\\x7e]{2}$',
    '^[\\u00e0-\\u00ef]\\u00fc\\x2d$',
    '^(?<a>\\d)(?<b>[a-z])\\k<b>\\k<a>$',
    '^(\\d)[(](?:x)\\1$',
    '^\\(\\[\\]\\\\$',
    '',
  ])('draws from %s', (pattern) => {
    const expression = new RegExp(pattern, 'u')
    expect(draws(pattern).filter((text) => !expression.test(text))).toEqual([])
  })

  it.for<[string, number, number]>([
    ['^[a-z]+$', 20, 20],
    ['^[a-z]+$', 0, 1],
    ['^[a-z]*-[a-z]*$', 31, 32],
    ['^x[a-z]+y$', 100, 100],
    ['^\\w+@\\w+\\.com$', 0, 8],
    ['^(ab|c)+$', 40, 42],
    ['^[a-z]{2,30}$', 28, 30],
  ])('keeps texts of %s to %d to %d letters', ([pattern, least, most]) => {
    for (const text of draws(pattern, least, most)) {
      expect(text).toMatch(new RegExp(pattern))
      expect(text.length).toBeGreaterThanOrEqual(least)
      expect(text.length).toBeLessThanOrEqual(most)
    }
  })

  it('draws the same from the same stream, whatever was drawn before', () => {
    const bounds = { least: 20, most: 22 }
    const [used, fresh] = [compilePattern('^[a-z]+$', bounds), compilePattern('^[a-z]+$', bounds)]
    for (let index = 0; index < 20; index++) used(stream.child(index))
    expect(used(stream.child(99))).toBe(fresh(stream.child(99)))
  })

  it('refuses what it cannot read', () => {
    expect(() => compilePattern('^(?<=x)y$', { least: 0, most: 5 })).toThrow(SyntaxError)
    expect(() => compilePattern('(', { least: 0, most: 5 })).toThrow(SyntaxError)
  })
})

describe('isWithin', () => {
  it('counts code points', () => {
    expect(isWithin('😀😀', { least: 2, most: 2 })).toBe(true)
    expect(isWithin('😀', { least: 2, most: 5 })).toBe(false)
    expect(isWithin('ab', { least: 0, most: 1 })).toBe(false)
    expect(isWithin('', { least: 0, most: Infinity })).toBe(true)
  })
})
