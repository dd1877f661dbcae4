import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegex, PatternInvalid } from '../../src/filter/patterns.ts'

/** Patterns that mean the same here and in JavaScript. */
const patterns: fc.Arbitrary<string> = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '[a-b]', '\\d', '\\.'),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}|${right})`),
  ),
  node: fc.oneof(
    { maxDepth: 3 },
    tie('atom'),
    fc
      .tuple(tie('atom'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}'))
      .map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
  ),
})).node

describe('a regular expression', () => {
  it('matches whole texts as that of JavaScript does', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', '1', '.'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(createRegex(pattern)(text)).toBe(new RegExp(`^(?:${pattern})$`, 's').test(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('has quoted literals, and takes ^ and $ as they are', () => {
    expect(createRegex('"a.b*"c')('a.b*c')).toBe(true)
    expect(createRegex('"a.b*"c')('axbc')).toBe(false)
    expect(createRegex('^a$')('^a$')).toBe(true)
    expect(createRegex('[]a]+')(']a')).toBe(true)
    expect(createRegex('[-a]')('-')).toBe(true)
    expect(createRegex('\\S\\W\\D')('a-b')).toBe(true)
  })

  it('is refused where it is malformed', () => {
    for (const pattern of [
      '(',
      ')',
      '[a',
      '*',
      'a{',
      'a{x}',
      'a{2,1}',
      '"a',
      '\\',
      '[b-a]',
      '(a{1000}){1000}',
    ]) {
      expect(() => createRegex(pattern)).toThrow(PatternInvalid)
    }
  })

  it('follows all ways at once: the steps grow with the text only', () => {
    const test = createRegex('(a|a)*b')
    expect(test('a'.repeat(20_000))).toBe(false)
    expect(createRegex('(a*)*c')('a'.repeat(20_000))).toBe(false)
  })
})
