import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLinear } from '../../src/engine/linear-pattern.ts'

const hide = (found: string): string => `<${found}>`

describe('a linear pattern', () => {
  it.for([
    ['\\bk-\\d+\\b', 'k-1'],
    ['(?<n>a+)\\s+b', 'a\u00a0b'],
    ['a.+b', 'a\rb'],
    ['[\\s,]+x', '\u3000,x'],
    ['a\\S+', 'a\u2028b'],
    ['\\d{3}-\\d{2}', '123-45'],
    ['(?:ab|c){1,3}$', 'abc'],
    ['x*\\u0041|\\p{Lu}+', 'xAB'],
  ])('%s finds what V8 finds', ([source = '', example = '']) => {
    const pattern = compileLinear(source)
    const expected = (text: string): string => text.replaceAll(new RegExp(source, 'gu'), hide)
    expect(pattern.replaceAll(example, hide)).toBe(expected(example))
    const letters = fc.constantFrom(...Array.from('abcxk-1AB,. \r\n\u00a0\u2028\u3000'), example)
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 12 }), (text) => {
        expect(pattern.replaceAll(text, hide)).toBe(expected(text))
        expect(pattern.test(text)).toBe(new RegExp(source, 'u').test(text))
      }),
    )
  })

  // Where one backtracks, each of these takes longer than the world is old.
  it.for([['(a+)+$'], ['(a|a)*$'], ['(a{1,30}){1,30}$'], ['(a?){99}b']])(
    '%s takes no time',
    ([source = '']) => {
      expect(compileLinear(source).replaceAll(`${'a'.repeat(9999)}!`, hide)).not.toContain('<')
    },
  )
})
