import { describe, expect, it } from 'vitest'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'
import { createReadOnlyFilter } from '../../../src/openapi/serve/body-reader.ts'

function filter(model: Schema, value: unknown): unknown {
  return createReadOnlyFilter(model, createResolver(model))?.(value)
}

const id = { type: 'string', readOnly: true }
const model: Schema = {
  type: 'object',
  properties: {
    id,
    name: { type: 'string' },
    byReference: { $ref: '#/$defs/Stamp' },
    byParts: { allOf: [{ type: 'string' }, { $ref: '#/$defs/Stamp' }] },
    inAll: { anyOf: [id, id] },
    inSome: { anyOf: [id, { type: 'integer' }] },
    child: { $ref: '#' },
    children: { type: 'array', items: { $ref: '#' } },
    pair: { type: 'array', prefixItems: [{ $ref: '#' }], items: {} },
  },
  additionalProperties: { properties: { id } },
  $defs: { Stamp: { type: 'string', readOnly: true } },
}

describe('what only answers have', () => {
  it.for([
    [{ id: 'a', name: 'b' }, { name: 'b' }],
    [{ byReference: 1, byParts: 1, inAll: 1, inSome: 1 }, { inSome: 1 }],
    [{ child: { id: 1, child: { id: 2, name: 'b' } } }, { child: { child: { name: 'b' } } }],
    [{ children: [{ id: 1, name: 'b' }, 'text'] }, { children: [{ name: 'b' }, 'text'] }],
    [{ pair: [{ id: 1 }, { id: 1 }] }, { pair: [{}, { id: 1 }] }],
    [{ other: { id: 1, x: 2 } }, { other: { x: 2 } }],
    ['text', 'text'],
    [null, null],
  ] as const)('is taken out of %j, which leaves %j', ([value, left]) => {
    expect(filter(model, value)).toEqual(left)
  })

  it('is not looked for where a model has none', () => {
    expect(
      createReadOnlyFilter({ properties: { a: { readOnly: false } } }, createResolver({})),
    ).toBeUndefined()
  })
})
