import { describe, expect, it } from 'vitest'
import { isServiceError, withError } from '../../../src/openapi/serve/declared-error.ts'
import { InputInvalid, ItemExists, ItemNotFound } from '../../../src/errors.ts'

describe('withError', () => {
  const model = {
    type: 'object',
    properties: {
      message: { type: 'string' },
      code: { type: 'string', enum: ['a'] },
      status: { type: 'integer' },
    },
  }

  it('tells what the error says where the model can hold it', () => {
    expect(withError({ message: 'x', code: 'a', status: 1 }, new ItemNotFound(), model)).toEqual({
      message: 'Not found',
      code: 'a',
      status: 404,
    })
    expect(withError({ code: 'a' }, new ItemNotFound(), model)).toEqual({ code: 'a' })
    expect(withError(['x'], new ItemNotFound(), {})).toEqual(['x'])
  })
})

describe('isServiceError', () => {
  it('is true of what a real service would say of its items', () => {
    const errors = [new ItemNotFound(), new ItemExists('/pets', '1'), new InputInvalid([]), new Error('x')]
    expect(errors.map((error) => isServiceError(error))).toEqual([true, true, false, false])
  })
})
