import { expect, it } from 'vitest'
import { utf8Of } from '../../src/data-files/utf8.ts'

it('reads UTF-8 with or without a byte order mark, and its own sign for what is none', () => {
  expect(utf8Of(Buffer.from('\uFEFFa: café \uFFFD\n'))).toBe('a: café \uFFFD\n')
})

it.for([
  [[0x61, 0xe9], 'line 1, column 2 is not UTF-8 (byte 0xe9)'],
  [[...Buffer.from('é\uFFFD\nb\uFFFD'), 0xc3, 0x28], 'line 2, column 3 is not UTF-8 (byte 0xc3)'],
  [[0xff, 0xfe, 0x7b, 0x00], 'line 1, column 1 is not UTF-8 (byte 0xff)'],
] as const)('names the place of the first byte of %j that is not', ([bytes, message]) => {
  expect(() => utf8Of(Buffer.from(bytes))).toThrow(message)
})
