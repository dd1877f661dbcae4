import { describe, expect, it } from 'vitest'
import { list, PageSlice, PaginatedResponse } from '../../../src/engine/schema/list.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { createScope } from '../../../src/openapi/export/scope.ts'
import { ModelInvalid } from '../../../src/errors.ts'

const Text = { type: 'string' }

describe('createScope', () => {
  it('finds what pointers, anchors and ids name', () => {
    const root = { $id: 'Root', $defs: { A: Text, B: { $anchor: 'b' }, C: { $id: 'C' } } }
    const scope = createScope(root)
    expect(scope.find('#').schema).toBe(root)
    expect(scope.find('Root').schema).toBe(root)
    expect(scope.find('#/$defs/A').schema).toBe(Text)
    expect(scope.find('#b').schema).toBe(root.$defs.B)
    expect(scope.find('C').schema).toBe(root.$defs.C)
  })

  it('gives the same object for the same schema, whatever way it is found', () => {
    const node = { $id: 'Node', properties: { next: { $ref: 'Node' } } }
    const scope = createScope({ $defs: { node }, $ref: 'Node' })
    const located = scope.find('Node')
    expect(scope.find('#/$defs/node')).toBe(located)
    expect(scope.at(node)).toBe(located)
    expect(located.scope.find('Node')).toBe(located)
    expect(located.scope.find('#')).toBe(located)
  })

  it('takes a schema with an id for the document of its own references, and asks around it for others', () => {
    const inner = { $id: 'Inner', $defs: { A: Text }, properties: { a: { $ref: '#/$defs/A' } } }
    const scope = createScope({ $defs: { B: { type: 'null' } }, properties: { inner } })
    const located = scope.at(inner)
    expect(located.scope.find('#/$defs/A').schema).toBe(Text)
    expect(located.scope.find('#/$defs/B').schema).toEqual({ type: 'null' })
    expect(() => located.scope.find('#/$defs/C')).toThrow(ModelInvalid)
  })

  it.for([
    ['list', (model: Schema): Schema => list(model)],
    ['PaginatedResponse', PaginatedResponse],
    ['PageSlice', PageSlice],
  ] as const)('lets the item of %s mean itself by its references', ([, wrap]) => {
    const item = { $defs: { A: Text }, properties: { a: { $ref: '#/$defs/A' }, again: { $ref: '#' } } }
    const { scope } = createScope(wrap(item)).at(item)
    expect(scope.find('#').schema).toBe(item)
    expect(scope.find('#/$defs/A').schema).toBe(Text)
  })

  it('copes with a list that says nothing of its items', () => {
    const root = { type: 'array' }
    expect(createScope(root).at(root).schema).toBe(root)
  })
})
