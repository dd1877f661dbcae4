import { describe, expect, it } from 'vitest'
import type { Parameter, SecurityRequirement } from '../../../src/engine/operation.ts'
import { type Schema, createResolver } from '../../../src/engine/schema/schema.ts'
import { parameterChecker, defaultOf } from '../../../src/openapi/serve/parameter-reader.ts'
import { issuesOf, parameter, readerOf, bodyOf } from './reading.ts'
import {
  createFinder,
  createSources,
  headerOf,
  createPathTexts,
} from '../../../src/openapi/serve/parameter-source.ts'
import { createCredentialReader } from '../../../src/openapi/serve/credentials.ts'

function reading(given: Partial<Parameter> & { readonly model: Schema }, others: readonly Parameter[] = []) {
  const own = parameter({ name: 'p', in: 'query', ...given })
  const read = readerOf('/x', { parameters: [own, ...others] }, 'GET')
  return (search: string) => read({ search })
}

const integers: Schema = { type: 'array', items: { type: 'integer' } }
const open: Schema = { type: 'object', additionalProperties: { type: 'integer' } }

describe('a parameter', () => {
  it('among many thousands is read, each place being gone through once', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`)
    const read = readerOf('/x', { parameters: names.map((name) => parameter({ name, in: 'query' })) }, 'GET')
    expect(read({ search: 'p19999=a' })).toEqual({ p19999: 'a' })
  })

  it('that says what a client prefers is left out where it fits nothing', () => {
    const model = { enum: ['de', 'en'] }
    const names = ['Accept-Language', 'Accept-Version']
    const read = readerOf('/x', { parameters: names.map((name) => parameter({ name, in: 'header', model })) })
    expect(read({ headers: { 'accept-language': '*', 'accept-version': 'de' } })).toEqual({
      'Accept-Version': 'de',
    })
    expect(read({ headers: { 'accept-language': 'en' } })).toEqual({ 'Accept-Language': 'en' })
    expect(issuesOf(() => read({ headers: { 'accept-version': '*' } }))).toHaveLength(1)
  })

  it.for([
    [{ model: { type: 'integer' } }, 'p=5', { p: 5 }],
    [{ model: { type: 'integer' } }, '', {}],
    [{ model: { type: 'integer', default: 7 } }, '', { p: 7 }],
    [{ model: { type: 'integer', default: 7 } }, 'p=5', { p: 5 }],
    [{ model: { $ref: '#/$defs/A', $defs: { A: { default: 'x' } } } }, '', { p: 'x' }],
    [{ model: { type: ['integer', 'null'] } }, 'p=', { p: null }],
    [{ model: { type: 'string' } }, 'p=', { p: '' }],
    [{ model: { type: 'string' } }, 'p', { p: '' }],
    [{ model: { type: 'boolean' }, allowEmptyValue: true }, 'p', {}],
    [{ model: { type: 'boolean' }, allowEmptyValue: true, required: true }, 'p=', {}],
    [{ model: { type: 'boolean', default: true }, allowEmptyValue: true }, 'p', { p: true }],
    [{ model: { type: 'string' }, allowEmptyValue: true }, 'p', { p: '' }],
    [{ model: integers, explode: false }, 'p=1,2', { p: [1, 2] }],
    [{ model: integers, explode: false }, 'p=1%2C2', { p: [1, 2] }],
    [{ model: { type: 'array', items: { type: 'string' } }, explode: false }, 'p=1%2C2', { p: ['1,2'] }],
    [{ model: integers }, 'p[]=1&p[]=2', { p: [1, 2] }],
    [{ model: integers }, 'p[0]=1&p[1]=2', { p: [1, 2] }],
    [{ model: { anyOf: [{ type: 'string' }, integers] } }, 'p=a', { p: 'a' }],
    [{ model: { anyOf: [{ type: 'integer' }, integers] }, explode: false }, 'p=1,2', { p: [1, 2] }],
    [{ model: { anyOf: [{ type: 'string' }, integers] } }, 'p=1&p=2', { p: [1, 2] }],
    [{ model: open, style: 'deepObject' }, 'p[a]=1&p[b]=2', { p: { a: 1, b: 2 } }],
    [
      { model: { type: 'object', properties: { a: open } }, style: 'deepObject' },
      'p[a][b]=2',
      { p: { a: { b: 2 } } },
    ],
    [
      { model: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
      'p[a][]=2',
      { p: { a: [2] } },
    ],
    [{ model: { type: 'object', properties: { a: integers } } }, 'a=1&a=2&b=3', { p: { a: [1, 2] } }],
    [{ model: open }, 'a=1&b=2', { p: { a: 1, b: 2 } }],
    [{ model: open }, '', {}],
    [{ model: { type: 'object', properties: { a: { default: 1 } } } }, 'p[b]=2', { p: { a: 1, b: '2' } }],
    [{ model: { type: 'object' }, mediaType: 'application/json' }, 'p=%7B%22a%22:1%7D', { p: { a: 1 } }],
    [{ model: { type: 'string' }, mediaType: 'application/json' }, 'p=%22a%22', { p: 'a' }],
    [{ model: { type: 'string' }, mediaType: 'application/json' }, 'p=a', { p: 'a' }],
    [{ model: { type: 'integer' }, mediaType: 'text/plain' }, 'p=1', { p: 1 }],
  ] as const)('as %j reads %s as %j', ([given, search, value]) => {
    expect(reading(given)(search)).toEqual(value)
  })

  it('leaves the names of others to them', () => {
    const other = parameter({ name: 'q', in: 'query' })
    expect(reading({ model: open }, [other])('a=1&q=x')).toEqual({ p: { a: 1 }, q: 'x' })
  })

  it.for([
    [{ model: { type: 'integer' } }, 'p=x', 'type_error', ['query', 'p'], 'x'],
    [{ model: { type: 'integer' } }, 'p=', 'type_error', ['query', 'p'], ''],
    [{ model: { type: 'integer' }, required: true }, 'q=1', 'missing', ['query', 'p'], null],
    [{ model: { enum: ['a', 'b'] } }, 'p=c', 'enum', ['query', 'p'], 'c'],
    [{ model: { type: 'string', format: 'date' } }, 'p=c', 'format', ['query', 'p'], 'c'],
    [{ model: integers }, 'p=1&p=x', 'type_error', ['query', 'p', 1], 'x'],
    [{ model: open }, 'a=x', 'type_error', ['query', 'p', 'a'], 'x'],
    [{ model: { ...open, required: ['a'] } }, 'b=1', 'missing', ['query', 'p', 'a'], { b: 1 }],
    [{ model: {}, mediaType: 'application/json' }, 'p={', 'json_invalid', ['query', 'p'], '{'],
    [{ model: { type: 'object' }, mediaType: 'application/json' }, 'p=1', 'type_error', ['query', 'p'], 1],
  ] as const)('as %j refuses %s as %s', ([given, search, type, loc, input]) => {
    expect(issuesOf(() => reading(given)(search))).toEqual([{ type, loc, msg: expect.any(String), input }])
  })

  it('gives a fresh copy of its default to each request', () => {
    const read = reading({ model: { type: 'array', default: ['a'] } })
    ;(read('')['p'] as string[]).push('b')
    expect(read('')).toEqual({ p: ['a'] })
  })
})

it('is the same for equal models', () => {
  const checker = parameterChecker({ type: 'integer', maximum: 3 })
  expect(parameterChecker({ type: 'integer', maximum: 3 })).toBe(checker)
  expect(parameterChecker({ type: 'integer', maximum: 4 })).not.toBe(checker)
  expect([checker.fits(3), checker.fits(4), parameterChecker({}).fits(4)]).toEqual([true, false, true])
})

it('fills in defaults', () => {
  const value = {}
  parameterChecker({ properties: { a: { default: 1 } } }).check(value)
  expect(value).toEqual({ a: 1 })
})

const $defs = { A: { default: 1 }, Self: { $ref: '#/$defs/Self' } }

it.for([
  [{ default: 0 }, 0],
  [{ default: null }, null],
  [{}, undefined],
  [{ $ref: '#/$defs/A' }, 1],
  [{ $ref: '#/$defs/A', default: 2 }, 2],
  [{ allOf: [{}, { $ref: '#/$defs/A' }] }, 1],
  [{ $ref: '#/$defs/Self' }, undefined],
] as const)('the default of %j is %j', ([schema, value]) => {
  const model: Schema = { ...schema, $defs }
  expect(defaultOf(model, createResolver(model))).toBe(value)
  expect(defaultOf(true, createResolver(model))).toBeUndefined()
})

describe('a parameter in a request', () => {
  const headers = {
    'x-list': ['a , b', 'c'],
    prefer: ['code=404', 'return=minimal'],
    cookie: 'plus=a+b; enc=%C3%A9; bad=%; x=1&x=2; n=%E9',
  }
  const places = { query: ['plus', 'enc', 'bad', 'Plus', 'ids'], template: '/{plus}/{enc}/{bad}.{ext}' }
  const sources = createSources(places)(
    {
      ...{ method: 'GET', scheme: 'http', host: 'x' },
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
    ['/x/{a}.{b}', '/x/20.5.json', { a: '20.5', b: 'json' }],
    ['/x/({id})', '/x/(7)', { id: '7' }],
    ['/x/{id}', '/x', {}],
    ['/x/{id}.json', '/x/7%2Ejson', {}],
  ] as const)('%s in %s are %j', ([template, path, values]) => {
    expect(Object.fromEntries(createPathTexts(template)(path))).toEqual(values)
  })
})

const call = {
  method: 'GET',
  scheme: 'http',
  host: 'x',
  path: '/',
  search: 'a=1&key=q%20&key=2',
  headers: { 'x-key': 'h', cookie: 'a=b; key=c' },
} as const

it.for([
  ['header', 'X-Key', 'h', 'the header X-Key'],
  ['query', 'key', 'q%20', 'the query parameter key'],
  ['cookie', 'key', 'c', 'the cookie key'],
  ['header', 'key', undefined, 'the header key'],
  ['query', 'constructor', undefined, 'the query parameter constructor'],
  ['cookie', 'Key', undefined, 'the cookie Key'],
] as const)('an API key in the %s %s is %s', ([place, field, value, where]) => {
  const read = createCredentialReader([[{ name: 'k', kind: 'apiKey', in: place, field }]])
  expect(read(call)).toEqual([[{ kind: 'apiKey', name: field, place: where, value }]])
})

it('are the alternatives of an operation', () => {
  const security: SecurityRequirement[] = [
    [],
    [
      { name: 'b', kind: 'basic' },
      { name: 't', kind: 'bearer' },
    ],
  ]
  expect(createCredentialReader(security)(call)).toEqual([[], [{ kind: 'basic' }, { kind: 'bearer' }]])
})
