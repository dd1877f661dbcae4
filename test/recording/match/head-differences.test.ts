import { describe, expect, it } from 'vitest'
import { headDifferences, headDistance } from '../../../src/recording/match/head-differences.ts'
import { headOf, type RequestHead } from '../../../src/recording/match/match.ts'
import { REDACTOR } from '../samples.ts'

const head = (method: string, host: string | undefined, url: string): RequestHead =>
  headOf({ method, host, url, headers: [] }, REDACTOR)

describe('headDifferences', () => {
  it('tells what is recorded in place of what was asked', () => {
    const asked = head('POST', 'a:1', '/x/1?p=2&q=1')
    const recorded = head('GET', 'b', '/x/2?p=3&r=4')
    expect(headDifferences(asked, recorded)).toEqual([
      'method GET instead of POST',
      'host b instead of a:1',
      'path /x/2 instead of /x/1',
      'query p: 3 instead of 2',
      'query q: nothing instead of 1',
      'query r: 4 instead of nothing',
    ])
    expect(headDifferences(asked, asked)).toEqual([])
    expect(headDifferences({ ...asked, host: undefined }, asked)).toEqual([])
  })
})

describe('headDistance', () => {
  it('is least for what differs least, and most for other methods and paths', () => {
    const asked = head('POST', 'a', '/users/1?p=1&q=2')
    const far = [
      head('POST', 'a', '/users/1?p=1&q=2'),
      head('POST', 'a', '/users/1?p=1&q=3'),
      head('POST', 'b', '/users/1?p=1&q=3'),
      head('POST', 'b', '/users/2?p=1&q=2'),
      head('GET', 'b', '/users/2?p=1&q=2'),
      head('GET', 'b', '/things/2/3?p=1&q=2'),
    ].map((recorded) => headDistance(asked, recorded))
    expect(far).toEqual(far.toSorted((a, b) => a - b))
    expect(new Set(far).size).toBe(far.length)
    expect(far[0]).toBe(0)
  })
})
