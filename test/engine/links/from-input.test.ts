import { describe, expect, it } from 'vitest'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { fieldOf, linkedText } from './linking.ts'

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
