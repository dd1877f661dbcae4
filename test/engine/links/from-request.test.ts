import { describe, expect, it } from 'vitest'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { fieldOf, linkedText } from './linking.ts'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { FromCookie } from '../../../src/engine/links/from-cookie.ts'

describe('FromInput', () => {
  it.for<[object, unknown]>([
    [{ type: 'string' }, ''],
    [{ type: 'string' }, 'Ada'],
    [{ type: 'integer' }, 0],
    [{ type: 'boolean' }, false],
    [{ type: ['string', 'null'] }, null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ type: 'array', items: { type: 'integer' } }, []],
    [{ type: 'object' }, { a: { b: 1 } }],
  ])('binds for %j the input %j', ([schema, value]) => {
    expect(fieldOf({ ...schema, ...FromInput('name') }, { name: value })).toEqual(value)
  })

  it('leaves the field generated for an absent input, and for null where the field takes none', () => {
    const field = { type: 'string', format: 'uuid', ...FromInput('name') }
    for (const input of [{}, { name: undefined }, { name: null }, { other: 'x' }]) {
      expect(fieldOf(field, input)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('binds no property that every object has', () => {
    expect(fieldOf({ type: 'string', format: 'uuid', ...FromInput('constructor') })).toMatch(
      /^[0-9a-f-]{36}$/,
    )
    expect(fieldOf({ ...FromInput('toString') })).toEqual(expect.any(String))
  })

  it('is written in data as its field', () => {
    expect(fieldOf(linkedText({ fromInput: 'name' }), { name: 'Ada' })).toBe('Ada')
    expect(() => linkOf(linkedText({ fromInput: 7 }))).toThrow('fromInput takes the name of an input field')
    expect(linkOf(linkedText({ fromInput: 'name' }))?.inputFields).toEqual(['name'])
  })
})

const field = { type: 'string', format: 'uuid' }
const id = '6f1c1f0e-0f5e-4b8e-9a53-0b6f9f4f7c11'

describe('FromHeader', () => {
  it('binds a header whatever the case of its name, the first where it came several times', () => {
    expect(fieldOf({ ...field, ...FromHeader('X-Tenant') }, {}, { 'x-tenant': id })).toBe(id)
    expect(fieldOf({ ...field, ...FromHeader('x-tenant') }, {}, { 'x-tenant': [id, 'other'] })).toBe(id)
    expect(fieldOf({ type: 'string', ...FromHeader('x-tenant') }, {}, { 'x-tenant': '' })).toBe('')
  })

  it('reads a header as the number its field wants', () => {
    expect(fieldOf({ type: 'integer', ...FromHeader('x-count') }, {}, { 'x-count': '12' })).toBe(12)
  })

  it('leaves the field generated where the header is missing', () => {
    for (const name of ['x-tenant', 'constructor']) {
      expect(fieldOf({ ...field, ...FromHeader(name) })).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(fieldOf({ ...field, ...FromHeader('x-tenant') }, {}, { 'x-tenant': [] })).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  it('is written in data as its name', () => {
    expect(fieldOf(linkedText({ fromHeader: 'X-Tenant' }), {}, { 'x-tenant': 'acme' })).toBe('acme')
    expect(() => linkOf(linkedText({ fromHeader: ['a'] }))).toThrow('fromHeader takes the name of a header')
  })
})

const read = (cookie: string | string[] | undefined, name = 'sid'): unknown =>
  fieldOf({ type: 'string', ...FromCookie(name) }, {}, { cookie })

describe('FromCookie', () => {
  it.for<[string | string[], string]>([
    ['sid=abc', 'abc'],
    ['a=1; sid=abc; b=2', 'abc'],
    ['a=1;sid=abc', 'abc'],
    ['sid=first; sid=second', 'first'],
    ['SID=no; sid=yes', 'yes'],
    ['sid=', ''],
    ['sid=a=b==', 'a=b=='],
    ['sid="quoted"', 'quoted'],
    ['sid="', '"'],
    ['sid=a%20b%E2%82%AC', 'a b€'],
    ['sid=100%', '100%'],
    [['a=1', 'sid=abc'], 'abc'],
  ])('reads of %j: %s', ([cookie, value]) => {
    expect(read(cookie)).toBe(value)
  })

  it.for(['', 'sid', '=sid', 'Sid=x', 'xsid=x', undefined])('leaves the field generated for %j', (cookie) => {
    expect(fieldOf({ type: 'string', format: 'uuid', ...FromCookie('sid') }, {}, { cookie })).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  it('is written in data as its name', () => {
    expect(fieldOf(linkedText({ fromCookie: 'sid' }), {}, { cookie: 'sid=x' })).toBe('x')
    expect(() => linkOf(linkedText({ fromCookie: {} }))).toThrow('fromCookie takes the name of a cookie')
  })
})
