import { expect, it } from 'vitest'
import { visible } from '../../src/ui/parts/visible.ts'

it.each([
  ['a\u001b[31m\u0007\u009bm', 'a␛[31m␇\\u009bm'],
  ['\u061c\u200f\u202eabc\u2066', '\\u061c\\u200f\\u202eabc\\u2066'],
  ['pass\u00adword\u{e0041}\u3164\ufff9', 'pass\\u00adword\\u{e0041}\\u3164\\ufff9'],
  ['line\r\n\tעברית 日本 😀', 'line\n\tעברית 日本 😀'],
])('%j is made visible', (text, shown) => {
  expect(visible(text)).toBe(shown)
})
