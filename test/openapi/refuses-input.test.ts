import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createRoute, type Method } from '../../src/engine/route.ts'
import { inputModelOf } from '../../src/openapi/input-fields.ts'
import { refusesInput } from '../../src/openapi/refuses-input.ts'

const refuses = (method: Method, path: string, input?: object): boolean => {
  const route = createRoute(method, path, { ...(input !== undefined && { input }) })
  return refusesInput(route, inputModelOf(route))
}

describe('refusesInput', () => {
  it.for(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'expects %s to refuse a body that is no JSON',
    (method) => {
      expect(refuses(method, '/x')).toBe(true)
    },
  )

  it.for<[string, object, boolean]>([
    [
      'optional texts',
      Type.Object({ a: Type.Optional(Type.String({ description: 'a', ...{ 'x-more': 1 } })) }),
      false,
    ],
    ['a text with a default', Type.Object({ a: Type.String({ default: 'a' }) }), false],
    ['anything', { properties: { a: true, b: {} } }, false],
    ['what the path gives', Type.Object({ id: Type.String() }), false],
    ['a required text', Type.Object({ a: Type.String() }), true],
    ['a number', Type.Object({ a: Type.Optional(Type.Integer()) }), true],
    ['a text with a rule', Type.Object({ a: Type.Optional(Type.String({ minLength: 1 })) }), true],
    ['nothing', { properties: { a: false } }, true],
    ['no other fields', Type.Object({}, { additionalProperties: false }), true],
    ['other rules', { minProperties: 1 }, true],
  ])('tells of a GET that takes %s', ([, input, expected]) => {
    expect(refuses('GET', '/users/{id}', input)).toBe(expected)
  })

  it('expects a GET without a model to take everything', () => {
    expect(refuses('GET', '/users/{id}')).toBe(false)
  })
})
