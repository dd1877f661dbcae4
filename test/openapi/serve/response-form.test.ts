import { describe, expect, it } from 'vitest'
import '../../../src/engine/links/built-in.ts'
import { InputInvalid, ItemExists, ItemNotFound } from '../../../src/errors.ts'
import { isServiceError, withError } from '../../../src/openapi/serve/answer-operation.ts'
import { createExamples } from '../../../src/openapi/serve/response-form.ts'
import { media } from './describing.ts'

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

const model = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }

describe('createExamples', () => {
  it('has the first that fits, as a value or as its JSON text', () => {
    const examples = { bad: { a: 'x' }, text: '{"a":1}', good: { a: 2 } }
    const { usual, named } = createExamples('application/json', media(model, examples), 'GET /')
    expect(usual).toEqual({ name: 'text', value: { a: 1 } })
    expect(named('good').value).toEqual({ a: 2 })
    expect(named('bad').value).toEqual({ a: 'x' })
  })

  it('takes any text for a document that is not JSON', () => {
    expect(createExamples('application/xml', media(model, { one: '<a/>' }), 'GET /').usual?.value).toBe(
      '<a/>',
    )
    expect(createExamples('application/json', media(model, { one: '<a/>' }), 'GET /').usual).toBeUndefined()
  })

  it('takes any value where there is no model', () => {
    expect(createExamples('application/json', media(undefined, { one: [1] }), 'GET /').usual?.value).toEqual([
      1,
    ])
  })

  it('leaves a model with links to them, but has what is asked for by name', () => {
    const linked = { type: 'object', properties: { a: { 'x-sim-link': { fromInput: 'a' } } } }
    const { usual, named } = createExamples('application/json', media(linked, { one: { a: 1 } }), 'GET /')
    expect([usual, named('one').value]).toEqual([undefined, { a: 1 }])
  })

  it('names the examples there are when asked for another', () => {
    const { named } = createExamples('application/json', media(model, { one: {}, two: {} }), 'GET /pets')
    expect(() => named('three')).toThrow(
      "GET /pets has no example 'three' for this response; it has one, two",
    )
    expect(() => createExamples('application/json', media(model), 'GET /').named('x')).toThrow('it has none')
  })
})
