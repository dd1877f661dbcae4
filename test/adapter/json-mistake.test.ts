import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonMistake, placeOf } from '../../src/adapter/json-mistake.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// Bits of JSON in any order: some are JSON, most only begin so.
const bits = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u00e9', '\\u12', '"a"', '"b":', '1', '-', '0', '.5', 'e+3'],
  ...['true', 'null', 'fals', ' ', '\n', '\t', '\u0001', '\ud800', '"\\""'],
)

describe('the place of a mistake in JSON', () => {
  it.for([
    ['', 0],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1, 2', 5],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{]', 1],
    ['01', 1],
    ['1.', 1],
    ['[tru]', 1],
    ["['a']", 1],
    ['{"a": "torn', 6],
    ['{"a": "b\nc"}', 6],
    ['["\\x"]', 1],
    ['{} {}', 3],
    ['{"a"', 4],
    [']', 0],
  ] as const)('%j is at %i', ([text, offset]) => {
    expect(findJsonMistake(text)).toBe(offset)
  })

  it('is found where JSON.parse finds one, and only there', () => {
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        expect(findJsonMistake(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('is none in what is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, space) => {
        expect(findJsonMistake(JSON.stringify(value, null, space))).toBeUndefined()
      }),
    )
  })

  it('is never after what cannot be JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.string(), (value, cut, rest) => {
        const text = JSON.stringify(value)
        const at = cut % (text.length + 1)
        expect(findJsonMistake(`${text.slice(0, at)}\u0001${rest}`)).toBeLessThanOrEqual(at)
      }),
    )
  })

  it.for(['"'.padEnd(9_000_000, 'a'), '['.repeat(5_000_000), '1'.repeat(20_000_000) + 'x'])(
    'is found in a text of any length',
    (text) => {
      expect(findJsonMistake(text)).toBeTypeOf('number')
    },
  )

  it('is told as people count', () => {
    expect(placeOf('ab', 1)).toBe('line 1, column 2')
    expect(placeOf('{\r\n  x', 5)).toBe('line 2, column 3')
    expect(placeOf('', 0)).toBe('line 1, column 1')
  })
})
