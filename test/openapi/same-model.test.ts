import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/engine/schema/schema.ts'
import { createModelComparison } from '../../src/openapi/same-model.ts'
import { createScope, type Located } from '../../src/openapi/scope.ts'

const at = (schema: Schema): Located => createScope(schema).at(schema)
const isSame = (a: Schema, b: Schema): boolean => createModelComparison()(at(a), at(b)) !== undefined
const tree = (value: Schema): Schema => ({
  $defs: { Tree: { properties: { value, below: { items: { $ref: '#/$defs/Tree' } } } } },
  $ref: '#/$defs/Tree',
})

describe('createModelComparison', () => {
  it('takes no notice of the order of keys, nor of definitions nobody refers to', () => {
    expect(isSame({ type: 'string', maxLength: 3 }, { maxLength: 3, type: 'string', $defs: { A: {} } })).toBe(
      true,
    )
    expect(isSame({ type: 'string' }, { type: 'integer' })).toBe(false)
  })

  it('sees through references and models with a name', () => {
    const user = { title: 'User', type: 'object' }
    const inline = { properties: { user } }
    expect(isSame(inline, { properties: { user: { $ref: '#/$defs/U' } }, $defs: { U: user } })).toBe(true)
    expect(isSame(inline, { properties: { user: { ...user, required: ['a'] } } })).toBe(false)
  })

  it('compares models that contain themselves', () => {
    expect(isSame(tree({ type: 'string' }), tree({ type: 'string' }))).toBe(true)
    expect(isSame(tree({ type: 'string' }), tree({ type: 'integer' }))).toBe(false)
  })

  it('takes a circle of two equal models for the same as a circle of one', () => {
    const two = {
      $defs: { A: { items: { $ref: '#/$defs/B' } }, B: { items: { $ref: '#/$defs/A' } } },
      $ref: '#/$defs/A',
    }
    const one = { $defs: { A: { items: { $ref: '#/$defs/A' } } }, $ref: '#/$defs/A' }
    expect(isSame(one, two)).toBe(true)
    expect(isSame(two, one)).toBe(true)
  })

  it('tells all pairs it met', () => {
    const [a, b] = [at(tree({ type: 'string' })), at(tree({ type: 'string' }))]
    const pairs = createModelComparison()(a, b)
    expect(pairs).toEqual([
      [a, b],
      [a.scope.find('#/$defs/Tree'), b.scope.find('#/$defs/Tree')],
    ])
  })
})
