import { describe, expect, it } from 'vitest'
import { createFinder, createSources, headerOf } from '../../../src/openapi/serve/parameter-source.ts'
import { parameter } from './reading.ts'

const call = { method: 'GET', scheme: 'http', host: 'x' } as const

describe('a parameter in a request', () => {
  const headers = {
    'x-list': ['a , b', 'c'],
    prefer: ['code=404', 'return=minimal'],
    cookie: 'plus=a+b; enc=%C3%A9; bad=%; x=1&x=2; n=%E9',
  }
  const places = { query: ['plus', 'enc', 'bad', 'Plus', 'ids'], template: '/{plus}/{enc}/{bad}.{ext}' }
  const sources = createSources(places)(
    {
      ...call,
      path: '/a+b/%C3%A9/%E9.x',
      search: 'plus=a+b&enc=%C3%A9&bad=%&ids[]=1&ids[]=2&toString=1',
      headers,
    },
    { plus: 'a+b', enc: 'é', bad: '%E9', ext: 'x' },
  )
  const find = (
    place: 'path' | 'query' | 'header' | 'cookie',
    name: string,
    shape: 'text' | 'list' = 'text',
  ) => createFinder(parameter({ name, in: place }), shape, places, () => true)(sources)

  it.for([
    ['path', 'plus', 'a+b'],
    ['path', 'enc', 'é'],
    ['path', 'bad', '%E9'],
    ['path', 'none', undefined],
    ['query', 'plus', 'a b'],
    ['query', 'enc', 'é'],
    ['query', 'bad', '%'],
    ['query', 'Plus', undefined],
    ['cookie', 'plus', 'a+b'],
    ['cookie', 'enc', 'é'],
    ['cookie', 'bad', '%'],
    ['cookie', 'none', undefined],
    ['header', 'X-List', 'a , b, c'],
    ['header', 'X-None', undefined],
    ['header', 'Prefer', 'return=minimal'],
  ] as const)('of the %s %s is %j', ([place, name, value]) => {
    expect(find(place, name)).toBe(value)
  })

  it('is a list in the ways that clients write one', () => {
    expect(find('header', 'x-list', 'list')).toEqual(['a', 'b', 'c'])
    expect(find('query', 'ids', 'list')).toEqual(['1', '2'])
    expect(find('cookie', 'x', 'list')).toEqual(['1', '2'])
  })

  it('is a header’s lines joined', () => {
    expect(headerOf({ cookie: ['a=1', 'b=2'] }, 'cookie')).toBe('a=1; b=2')
    expect(headerOf({}, 'cookie')).toBeUndefined()
  })
})
