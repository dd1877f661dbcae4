import { describe, expect, it } from 'vitest'
import { createPathTexts } from '../../../src/openapi/serve/parameter-source.ts'
import { bodyOf, issuesOf, parameter, readerOf } from './reading.ts'

const PLACES = ['cookie', 'header', 'query', 'path'] as const

describe('the input of an operation', () => {
  it('is flat, and the path wins over the query, the headers, the cookies and the body', () => {
    const request = {
      path: '/x/path',
      search: 'n=query',
      headers: { n: 'header', cookie: 'n=cookie' },
      body: { n: 'body', own: 1 },
    }
    const all = PLACES.map((place) => parameter({ name: 'n', in: place }))
    const body = bodyOf('application/json', { type: 'object' })
    for (const [index, place] of PLACES.entries()) {
      const read = readerOf('/x/{n}', { parameters: all.slice(0, index + 1).toReversed(), body })
      expect(read(request)).toEqual({ n: place, own: 1 })
    }
    expect(readerOf('/x/{n}', { body })(request)).toEqual({ n: 'body', own: 1 })
  })

  it('names everything that does not fit at once', () => {
    const parameters = PLACES.map((place) =>
      parameter({ name: place, in: place, model: { type: 'integer' } }),
    )
    const body = bodyOf('application/json', { type: 'array' })
    const read = readerOf('/x/{path}', { parameters, body })
    const headers = { header: 'x', cookie: 'cookie=x' }
    const issues = issuesOf(() => read({ path: '/x/x', search: 'query=x', headers, body: {} }))
    expect(issues.map(({ loc }) => loc)).toEqual([...PLACES.map((place) => [place, place]), ['body']])
  })

  it('has nothing that the description does not name', () => {
    expect(readerOf('/x', {})({ search: 'a=1', headers: { b: '2' }, body: { c: 3 } })).toEqual({})
  })

  it('may hold names that objects have anyway', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty']
    const read = readerOf('/x', { parameters: names.map((name) => parameter({ name, in: 'query' })) })
    expect(read({ search: 'toString=a' })).toEqual({ toString: 'a' })
    expect(
      readerOf('/x', { parameters: names.map((name) => parameter({ name, in: 'header' })) })({}),
    ).toEqual({})
  })
})

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
