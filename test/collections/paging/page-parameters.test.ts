import { describe, expect, it } from 'vitest'
import { numberIn, pageParametersOf, plainName } from '../../../src/collections/paging/page-parameters.ts'
import { inPath, query } from '../../openapi/serve/describing.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }

describe('pageParametersOf', () => {
  it.for([
    [
      [query('page', integer), query('per_page', { ...integer, default: 30 })],
      ['page', 'page', 'per_page', 30],
    ],
    [
      [query('pageNumber', integer), query('pageSize', { ...integer, maximum: 5 })],
      ['page', 'pageNumber', 'pageSize', 5],
    ],
    [
      [query('page_number', text), query('next_page_token', text), query('page_size', integer)],
      ['page', 'page_number', 'page_size', 10],
    ],
    [
      [query('page[number]', integer), query('page[size]', integer)],
      ['page', 'page[number]', 'page[size]', 10],
    ],
    [
      [query('limit', { ...integer, minimum: 20 }), query('offset', integer)],
      ['offset', 'offset', 'limit', 20],
    ],
    [
      [query('limit', { ...integer, default: 1000 }), query('skip', integer)],
      ['offset', 'skip', 'limit', 100],
    ],
    [
      [query('skip', integer), query('take', integer)],
      ['offset', 'skip', 'take', 10],
    ],
    [
      [query('cursor', text), query('limit', integer)],
      ['cursor', 'cursor', 'limit', 10],
    ],
    [
      [query('pageToken', text), query('maxResults', integer)],
      ['cursor', 'pageToken', 'maxResults', 10],
    ],
    [
      [query('starting_after', text), query('limit', integer)],
      ['after', 'starting_after', 'limit', 10],
    ],
    [
      [query('limit', text), query('offset', text)],
      ['offset', 'offset', 'limit', 10],
    ],
    [
      [query('count', text), query('start_position', text)],
      ['offset', 'start_position', 'count', 10],
    ],
    [
      [query('pageSize', integer), query('offset', text)],
      ['limit', undefined, 'pageSize', 10],
    ],
    [
      [
        query('page', { oneOf: [integer, { type: 'object', properties: { number: integer } }] }),
        query('per_page', integer),
      ],
      ['page', 'page', 'per_page', 10],
    ],
    [[query('limit', { type: ['integer', 'null'] })], ['limit', undefined, 'limit', 10]],
  ] as const)('reads how %j page', ([parameters, [style, at, size, usualSize]]) => {
    expect(pageParametersOf({ parameters })).toMatchObject({ style, at, size, usualSize })
  })

  it.for([
    [[]],
    [[query('q', text)]],
    [[query('count', text)]],
    [[query('after', { ...text, format: 'date-time' })]],
    [[query('page', { type: 'object' })]],
    [[inPath('page', integer)]],
  ] as const)('reads nothing of pages in %j', ([parameters]) => {
    expect(pageParametersOf({ parameters })).toBeUndefined()
  })

  it('counts pages from 0 where the description does', () => {
    const first = (model: object) =>
      pageParametersOf({ parameters: [query('page', { ...integer, ...model })] })?.firstPage
    expect([
      first({}),
      first({ default: 0 }),
      first({ minimum: 0 }),
      first({ minimum: 0, default: 1 }),
    ]).toEqual([1, 0, 0, 1])
  })
})

describe('numberIn', () => {
  it('bounds what a request asks for', () => {
    const read = (value: unknown) => numberIn({ limit: value }, 'limit', 10, 50)
    expect([
      read(7),
      read('7'),
      read(70),
      read(-1),
      read('x'),
      read(null),
      numberIn({}, undefined, 3, 9),
    ]).toEqual([7, 7, 50, 0, 10, 10, 3])
  })
})

describe('plainName', () => {
  it('is the same however words are joined', () => {
    expect(['pageSize', 'page_size', 'Page-Size', 'page[size]'].map(plainName)).toEqual(
      Array(4).fill('pagesize'),
    )
  })
})
