import { expect, it } from 'vitest'
import { compileWhen, fitsAll, meetsRequired } from '../../src/routing/condition.ts'

it('takes a header that is empty for one that is not there, where heads need it', () => {
  const required = compileWhen([{ header: 'X-Key' }, { query: 'of' }])
  expect(meetsRequired(required, { headers: { 'x-key': 'a' }, search: 'of=' })).toBe(true)
  const empty = { headers: { 'x-key': '' }, search: 'of=' }
  expect(meetsRequired(required, empty)).toBe(false)
  expect(fitsAll(required, empty)).toBe(true)
  expect(meetsRequired(compileWhen({ header: 'x-key', equals: '' }), empty)).toBe(true)
})
