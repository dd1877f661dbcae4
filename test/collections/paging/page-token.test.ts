import { describe, expect, it } from 'vitest'
import { pageToken, readPageToken } from '../../../src/collections/paging/page-links.ts'

describe('a page token', () => {
  it('is read back', () => {
    expect([0, 7, 1e6].map((offset) => readPageToken(pageToken(offset)))).toEqual([0, 7, 1e6])
  })

  it('is that of the first page where there is none', () => {
    expect([undefined, null, ''].map(readPageToken)).toEqual([0, 0, 0])
  })

  it.for(['x', '===', pageToken(-1), ['a'], 7])('is refused when it is %j', (token) => {
    expect(() => readPageToken(token)).toThrow('Invalid page token')
  })
})
