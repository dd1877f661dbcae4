import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkModels } from '../../src/loaders/check-models.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { PaginatedResponse } from '../../src/engine/schema/list.ts'
import { createRoute } from '../../src/engine/route.ts'

const messagesOf = (options: { input?: object; output?: object }): string[] =>
  checkModels(createRoute('POST', '/x', options)).map(({ message }) => message)

describe('models', () => {
  it.for([
    {},
    { output: Type.Object({ a: Type.String(FromInput('a')) }) },
    { output: PaginatedResponse(Type.Object({ a: Type.Integer() })) },
    { output: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
    { output: { $defs: { A: { type: 'string' } }, properties: { a: { $ref: '#/$defs/A' } } } },
  ])('that are valid have no problems: %j', (options) => {
    expect(messagesOf(options)).toEqual([])
  })

  it('that are not valid are told with route, model, field and keyword, all of them', () => {
    const output = {
      title: 'User',
      type: 'object',
      properties: {
        name: { type: 'strnig' },
        address: { type: 'object', properties: { zip: { type: 'string', minLength: -1 } } },
        many: { type: 'array', items: { minimum: 'low' } },
      },
    }
    expect(messagesOf({ input: { required: 'name' }, output })).toEqual([
      'POST /x: input: required: Value must be array',
      expect.stringMatching(/^POST \/x: User\.name: type: Value must be equal to one of the allowed values/),
      'POST /x: User.address.zip: minLength: Value must be >= 0',
      'POST /x: User.many: minimum: Value must be number',
    ])
  })

  it('that cannot be used are told', () => {
    const output = { title: 'User', type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } }
    expect(messagesOf({ output })).toEqual([expect.stringMatching(/^POST \/x: User: .*\$defs\/Missing/)])
    expect(messagesOf({ output: { title: 'M', type: 'string', pattern: '(' } })).toEqual([
      expect.stringMatching(/^POST \/x: M: .*Invalid regular expression/),
    ])
  })
})
