import { describe, expect, it } from 'vitest'
import { createPathTexts } from '../../../src/openapi/serve/path-texts.ts'

describe('the values of a path', () => {
  it.for([
    ['/x', '/x', {}],
    ['/x/{id}', '/x/a%2Cb', { id: 'a%2Cb' }],
    ['/x/{id}/', '/x/a', { id: 'a' }],
    ['/{a}/y/{b}', '/1/y/2/', { a: '1', b: '2' }],
    ['/x/{a}.{b}', '/x/p%2Eq.r', { a: 'p%2Eq', b: 'r' }],
    ['/x/({id})', '/x/(7)', { id: '7' }],
    ['/x/{id}', '/x', {}],
    ['/x/{id}.json', '/x/7%2Ejson', {}],
  ] as const)('%s in %s are %j', ([template, path, values]) => {
    expect(Object.fromEntries(createPathTexts(template)(path))).toEqual(values)
  })
})
