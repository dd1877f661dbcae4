import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileMatch, headOf, type RequestHead } from '../../../src/recording/match/match.ts'
import { REDACTOR } from '../samples.ts'

const head = (method: string, host: string | undefined, url: string): RequestHead =>
  headOf({ method, host, url, headers: [] }, REDACTOR, compileMatch())

describe('headOf', () => {
  it('sorts the query, keeps repeated names, and hides secrets', () => {
    expect(head('GET', undefined, '/a?b=2&a=1&b=1&token=t')).toEqual({
      method: 'GET',
      host: undefined,
      path: '/a',
      query: [
        ['a', '1'],
        ['b', '1'],
        ['b', '2'],
        ['token', 'redacted'],
      ],
      headers: [],
    })
  })

  it('is the same for every order of the query', () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^[a-z]{0,3}$/))
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const url = (list: typeof pairs): string =>
          `/x?${list.map(([name, value]) => `${name}=${value}`).join('&')}`
        expect(head('GET', 'a', url(pairs))).toEqual(head('GET', 'a', url(pairs.toReversed())))
      }),
    )
  })
})
