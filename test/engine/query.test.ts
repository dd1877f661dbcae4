import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextReader, type ReadText } from '../../src/engine/schema/coerce.ts'
import { createResolver, type Schema } from '../../src/engine/schema/schema.ts'
import { createQueryReader, parseQuery } from '../../src/engine/query.ts'

const properties: Record<string, Schema> = {
  name: { type: 'string' },
  page: { type: 'integer' },
  open: { type: 'boolean' },
  status: { enum: ['active', '7'] },
  tags: { type: 'array', items: { type: 'integer' } },
}
const declared = new Map<string, ReadText>(
  [...Object.entries(properties), ['__proto__', { type: 'number' }] as const].map(([name, schema]) => [
    name,
    createTextReader(schema, createResolver({ properties })),
  ]),
)
const other =
  (name: string): ReadText =>
  (raw) =>
    `${name} ${String(raw)}`
const read = createQueryReader({ declared, other })

/** Field by field, from the query as an object. */
function slowly(search: string): [string, unknown][] {
  return Object.entries(parseQuery(search)).map(([name, raw]) => [
    name,
    (declared.get(name) ?? other(name))(raw),
  ])
}

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

describe('the reader of queries', () => {
  it('reads each field as its schema asks for', () => {
    expect(read('name=ada&page=2&open=Yes&status=7&tags=1')).toEqual({
      name: 'ada',
      page: 2,
      open: true,
      status: '7',
      tags: [1],
    })
    expect(read('')).toEqual({})
  })

  it('reads what is unusual as a query is read', () => {
    const pair = fc
      .tuple(
        fc.constantFrom(
          'name',
          'page',
          'open',
          'status',
          'tags',
          '__proto__',
          'constructor',
          'x',
          '',
          '%6eame',
        ),
        fc.constantFrom('=', '=', '=', '', '=='),
        fc.constantFrom(
          '',
          '1',
          '007',
          '1e3',
          '-5',
          'on',
          'TRUE',
          'null',
          'active',
          'a+b',
          '%zz',
          '%C3%A4',
          'é',
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), fc.constantFrom('&', '&&', '&='), (pairs, between) => {
        const search = pairs.join(between)
        expect(Object.entries(read(search))).toEqual(slowly(search))
      }),
      { numRuns: 2000 },
    )
  })
})
