import { expect, it } from 'vitest'
import { ignoringCase } from '../../../src/engine/patterns/ignoring-case.ts'

it.each([
  ['^SAP[0-9]{2}$', '^[sS][aA][pP][0-9]{2}$'],
  ['^[a-z\\d_x]+$', '^[a-zA-Z\\d_xX]+$'],
  ['^a-z\\w$', '^[aA]-[zZ]\\w$'],
  ['(?<name>b)\\u0041\\p{L}', '(?<name>[bB])\\u0041\\p{L}'],
])('writes %s with both cases of each letter', (pattern, written) => {
  expect(ignoringCase(pattern)).toBe(written)
  expect(() => new RegExp(written, 'u')).not.toThrow()
})
