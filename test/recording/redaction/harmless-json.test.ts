import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createQuoteHarmless } from '../../../src/recording/redaction/harmless-json.ts'

const quote = createQuoteHarmless((name) => name === 'token')

it.for([
  '{}',
  ' [ 1 , 2.5, -0, "a" ]\r\n\t',
  '"x"',
  'null',
  '{"a":{"b":[true,false,null]},"ä":"€😀","":[[]]}',
  '{"tokens":[],"a":"token"}',
  JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `Ada ${id}` }))),
])('gives %s as a JSON string', (text) => {
  expect(quote(Buffer.from(text))).toBe(JSON.stringify(text))
  // Its names are known by now.
  expect(quote(Buffer.from(text))).toBe(JSON.stringify(text))
})

it.for([
  ...[
    '{"token":1}',
    '[{"a":{"token":[]}}]',
    '"\\u0061"',
    '"it\'s"',
    '"a=b"',
    '"a%3Db"',
    '"a%3db"',
    '"//u:p@h"',
  ],
  ...['["//h","@"]', '', ' ', '\ufeff{}', '{"a":"\u0001"}', '1e400'],
])('leaves %s to be looked into', (text) => {
  expect(quote(Buffer.from(text))).toBeUndefined()
})

it('leaves bytes that are not UTF-8', () => {
  expect(quote(Buffer.from('"ä"', 'latin1'))).toBeUndefined()
})

it('takes nothing for JSON that is not, and gives it unchanged', () => {
  const pieces = fc.constantFrom(
    ...Array.from('{}[]":, \n\\'),
    '"a"',
    '"b":',
    '0',
    '12',
    '-',
    '.5',
    'true',
    'nul',
  )
  let quoted = 0
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: pieces, maxLength: 12 }), fc.json()), (text) => {
      const found = quote(Buffer.from(text))
      if (found === undefined) return
      quoted++
      expect(() => JSON.parse(text) as unknown).not.toThrow()
      expect(JSON.parse(found)).toBe(text)
    }),
    { numRuns: 3000 },
  )
  expect(quoted).toBeGreaterThan(100)
})
