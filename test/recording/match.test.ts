import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyForm, headDifferences, headOf, OMITTED } from '../../src/recording/match.ts'

const JSON_TYPE = 'application/json'
const form = (text: string, type = JSON_TYPE): string => bodyForm(Buffer.from(text), type)

describe('headOf', () => {
  it('sorts the query, keeps repeated names, and hides secrets', () => {
    expect(headOf('GET', undefined, '/a?b=2&a=1&b=1&token=t')).toEqual({
      method: 'GET',
      host: undefined,
      path: '/a',
      query: [
        ['a', '1'],
        ['b', '1'],
        ['b', '2'],
        ['token', 'redacted'],
      ],
    })
  })

  it('is the same for every order of the query', () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^[a-z]{0,3}$/))
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const url = (list: typeof pairs): string =>
          `/x?${list.map(([name, value]) => `${name}=${value}`).join('&')}`
        expect(headOf('GET', 'a', url(pairs))).toEqual(headOf('GET', 'a', url(pairs.toReversed())))
      }),
    )
  })
})

describe('bodyForm', () => {
  it('compares JSON by its value', () => {
    expect(form('{"a": 1, "b": [1.0, {"c": null}]}')).toBe(form('{"b":[1,{"c":null}],"a":1}'))
    expect(form('{"b":[1,2]}')).not.toBe(form('{"b":[2,1]}'))
    expect(form('{"a":1}')).not.toBe(form('{"a":"1"}'))
    expect(form('{"a":1}', 'application/vnd.x+json')).toBe(form('{ "a": 1 }'))
  })

  it('compares anything else by its bytes', () => {
    expect(form('a b', 'text/plain')).not.toBe(form('a  b', 'text/plain'))
    expect(bodyForm(Buffer.from([0xff, 1]), 'image/png')).not.toBe(
      bodyForm(Buffer.from([0xff, 2]), 'image/png'),
    )
    expect(bodyForm(Buffer.alloc(0), 'image/png')).toBe('')
  })

  it('takes secrets as equal, and what a recording leaves out as such', () => {
    expect(form('{"password":"a","b":1}')).toBe(form('{"b":1,"password":"c"}'))
    expect(form('{"a":')).toBe(OMITTED)
  })
})

describe('headDifferences', () => {
  it('tells what is recorded in place of what was asked', () => {
    const asked = headOf('POST', 'a:1', '/x/1?p=2&q=1')
    const recorded = headOf('GET', 'b', '/x/2?p=3&r=4')
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
