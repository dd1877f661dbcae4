import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { list } from '../../../src/engine/schema/list.ts'

describe('list', () => {
  it('is the model of a list of a model', () => {
    const model = Type.Object({ id: Type.Integer() })
    expect(list(model)).toEqual({ type: 'array', items: model })
    expect(list(model).items).toBe(model)
  })
})
