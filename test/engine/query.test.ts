import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/engine/query.ts'

describe('parseQuery', () => {
  it.for([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2&a=3&a=', { a: ['1', '3', ''], b: '2' }],
    ['a', { a: '' }],
    ['=x', { '': 'x' }],
    ['a=b=c', { a: 'b=c' }],
    ['q=a+b%20c%2B', { q: 'a b c+' }],
    ['%C3%A4=%E2%82%AC', { ä: '€' }],
    ['q=100%&r=%zz', { q: '100%', r: '%zz' }],
    ['&&a=1&', { a: '1' }],
  ] as const)('reads %s', ([search, expected]) => {
    expect(parseQuery(search)).toEqual(expected)
  })

  it('keeps the order that names first came in', () => {
    expect(Object.keys(parseQuery('b=1&a=2&b=3'))).toEqual(['b', 'a'])
  })

  it('takes __proto__ as a name like any other', () => {
    const query = parseQuery('__proto__=x&constructor=y')
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype)
    expect(Object.entries(query)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  it('reads a name repeated a hundred thousand times in a moment', () => {
    const started = performance.now()
    expect(parseQuery('a&'.repeat(100_000))['a']).toHaveLength(100_000)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
