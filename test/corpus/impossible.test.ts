import { expect, it } from 'vitest'
import { createImpossible } from './impossible.ts'
import { createSchemas } from './schemas.ts'
import { createValidate } from './validator.ts'

const text = { type: 'string' }
const document = {
  openapi: '3.0.3',
  components: {
    schemas: {
      Named: { type: 'object', required: ['name'], properties: { name: text } },
      Endless: {
        type: 'object',
        required: ['next'],
        properties: { next: { $ref: '#/components/schemas/Endless' } },
      },
      Tree: {
        type: 'object',
        required: ['children'],
        properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      },
    },
  },
}
const named = { $ref: '#/components/schemas/Named' }

function whyNot(schema: unknown): string | undefined {
  const schemas = createSchemas(document, 'response')
  const validate = createValidate(schemas)
  return createImpossible(schemas, (each, value) => validate(each, value) === undefined)(schema)
}

it.each<[unknown, RegExp]>([
  [{ type: 'object', additionalProperties: false, allOf: [named] }, /^name: false/],
  [{ type: 'array', minItems: 1, items: { allOf: [named, { type: 'string' }] } }, /^items: types contradict/],
  [{ $ref: '#/components/schemas/Endless' }, /without end/],
  [{ type: 'integer', enum: ['a'] }, /no value of enum/],
  [{ type: 'integer', minimum: 3, maximum: 2 }, /minimum is more/],
  [{ type: 'string', oneOf: [{ type: 'integer' }, { minLength: 2, maxLength: 1 }] }, /no member of oneOf/],
])('proves of what nothing fits why: %o', (schema, why) => {
  expect(whyNot(schema)).toMatch(why)
})

it.each([
  [{ $ref: '#/components/schemas/Tree' }],
  [{ type: 'object', additionalProperties: false, properties: { name: text }, allOf: [named] }],
  [{ type: ['integer', 'null'], minimum: 3, maximum: 2 }],
  [{ type: 'array', items: false }],
  [{ minLength: 2, maxLength: 1 }],
  [{ anyOf: [false, { $ref: '#/components/schemas/Endless' }, named] }],
])('proves nothing of what something fits: %o', (schema) => {
  expect(whyNot(schema)).toBe(undefined)
})
