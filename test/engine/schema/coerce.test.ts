import { describe, expect, it } from 'vitest'
import { coerceText, createTextReader } from '../../../src/engine/schema/coerce.ts'
import { createResolver, type SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'

const integer = { type: 'integer' }
const nullable = { anyOf: [integer, { type: 'null' }] }
const resolve = createResolver({
  $defs: { Id: integer, Ids: { type: 'array', items: { $ref: '#/$defs/Id' } } },
})

describe('coerceText', () => {
  it.for<[string | string[], SchemaOrBoolean, unknown]>([
    ['7', { type: 'string' }, '7'],
    ['7', {}, '7'],
    ['7', true, '7'],
    ['7', integer, 7],
    ['-1.5e3', { type: 'number' }, -1500],
    ['.5', { type: 'number' }, 0.5],
    ['7.', { type: 'number' }, 7],
    ['', integer, ''],
    ['0x10', integer, '0x10'],
    ['Infinity', { type: 'number' }, 'Infinity'],
    ['1 ', integer, '1 '],
    ['seven', integer, 'seven'],
    ['true', { type: 'boolean' }, true],
    ['1', { type: 'boolean' }, true],
    ['Yes', { type: 'boolean' }, true],
    ['on', { type: 'boolean' }, true],
    ['FALSE', { type: 'boolean' }, false],
    ['0', { type: 'boolean' }, false],
    ['no', { type: 'boolean' }, false],
    ['off', { type: 'boolean' }, false],
    ['maybe', { type: 'boolean' }, 'maybe'],
    ['', { type: 'null' }, null],
    ['null', nullable, null],
    ['', nullable, null],
    ['7', nullable, 7],
    ['null', { type: ['string', 'null'] }, 'null'],
    ['1', { type: ['boolean', 'integer'] }, 1],
    ['yes', { type: ['boolean', 'integer'] }, true],
    ['7', { anyOf: [integer, { type: 'string' }] }, '7'],
    ['7', { anyOf: [integer, { enum: ['all'] }] }, 7],
    ['all', { anyOf: [integer, { enum: ['all'] }] }, 'all'],
    ['2', { enum: [1, 2] }, 2],
    ['2', { enum: ['1', '2', 2] }, '2'],
    ['3', { enum: [1, 2] }, '3'],
    ['true', { const: true }, true],
    ['null', { enum: [null, 'x'] }, null],
    ['7', { minimum: 5 }, 7],
    ['7', { $ref: '#/$defs/Id' }, 7],
    ['7', { allOf: [{ $ref: '#/$defs/Id' }, { minimum: 5 }, { description: 'an id' }] }, 7],
    ['7', { oneOf: [{ anyOf: [{ $ref: '#/$defs/Id' }] }, { type: 'null' }] }, 7],
    [['1', '2'], integer, 2],
    [[], integer, ''],
    [['1', '2'], { type: 'array', items: integer }, [1, 2]],
    ['1', { type: 'array', items: integer }, [1]],
    [['1', 'x'], { type: 'array', items: integer }, [1, 'x']],
    [['1', '2'], { type: 'array' }, ['1', '2']],
    [['1', '2'], { $ref: '#/$defs/Ids' }, [1, 2]],
    ['1', { anyOf: [{ $ref: '#/$defs/Ids' }, { type: 'null' }] }, [1]],
    ['null', { anyOf: [{ $ref: '#/$defs/Ids' }, { type: 'null' }] }, null],
    ['a', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'a'],
    [['a', 'b'], { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, ['a', 'b']],
    ['x', { anyOf: [false] }, 'x'],
  ])('reads %j for %j as %j', ([text, schema, expected]) => {
    expect(coerceText(text, schema, resolve)).toEqual(expected)
  })

  it('is not led astray by a union that contains itself', () => {
    const root = { $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, integer] } } }
    expect(coerceText('7', { $ref: '#/$defs/A' }, createResolver(root))).toBe(7)
  })
})

describe('createTextReader', () => {
  it('reads any number of texts', () => {
    const read = createTextReader({ type: 'array', items: { type: ['integer', 'boolean'] } }, resolve)
    expect([read('1'), read(['no', '2'])]).toEqual([[1], [false, 2]])
  })
})
