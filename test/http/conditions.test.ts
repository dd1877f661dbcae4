import { expect, it } from 'vitest'
import { rangeOf } from '../../src/http/conditions.ts'

it.for([
  ['bytes=2-4', { first: 2, last: 4 }],
  ['Bytes= 2 - ', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=12-', 'unsatisfiable'],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  // Read in all ways there are to read the spaces, this took minutes.
  [`bytes=${' '.repeat(8000)}-${' '.repeat(8000)}x`, undefined],
] as const)('of the range %s of ten bytes are given %j', ([range, given]) => {
  expect(rangeOf({ range }, { etag: undefined, lastModified: undefined }, 10)).toEqual(given)
})
