import { describe, expect, it } from 'vitest'
import { bracketTree, cookiePairs, decodeForm, formPairs, pairOf } from '../../../src/openapi/serve/pairs.ts'

describe('pairs', () => {
  it.for([
    ['', []],
    ['a', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      '&a=1&&b=%20+',
      [
        ['a', '1'],
        ['b', '%20+'],
      ],
    ],
    ['a%5Bb%5D+c=1', [['a[b] c', '1']]],
  ] as const)('of the form %s are %j', ([text, pairs]) => {
    expect(formPairs(text)).toEqual(pairs)
  })

  it.for([
    ['', []],
    [
      'a=1; b="2";c=3=4 ; d',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3=4'],
      ],
    ],
  ] as const)('of the cookies %s are %j', ([text, pairs]) => {
    expect(cookiePairs(text)).toEqual(pairs)
  })

  it('decode what is malformed as it stands', () => {
    expect(decodeForm('%zz+%41')).toBe('%zz A')
    expect(pairOf('=x')).toEqual(['', 'x'])
  })

  it.for([
    ['a[b]=1', { b: '1' }],
    ['a[b]=1&a[b]=2', { b: '2' }],
    ['a[b][c]=1&a[b][d]=2&x[b]=3', { b: { c: '1', d: '2' } }],
    ['a[]=1&a[]=2', { '': ['1', '2'] }],
    ['a[b][]=1&a[b][]=2', { b: { '': ['1', '2'] } }],
    ['a[b]=1&a[b][c]=2', { b: { c: '2' } }],
    ['a[b=1', undefined],
    ['a[b]c=1', undefined],
    [`a${'[b]'.repeat(33)}=1`, undefined],
  ] as const)('in brackets, %s, are %j', ([text, value]) => {
    const plain = (tree: unknown): unknown =>
      tree instanceof Map ? Object.fromEntries([...tree].map(([name, each]) => [name, plain(each)])) : tree
    expect(plain(bracketTree(formPairs(text), 'a', (raw) => raw))).toEqual(value)
  })
})
