import { expect, it } from 'vitest'
import type { Content } from '../../../src/engine/operation.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { declaredBaseline } from '../../../src/recording/drift/declared-baseline.ts'
import { sample } from '../inference/samples.ts'

const User = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const routes = [
  createRoute('GET', '/users/{id}', {
    output: User,
    input: User,
    errors: [{ when: () => true, status: 410 }],
    errorCodes: [503],
  }),
  createRoute('DELETE', '/users/{id}', {}),
]

it('knows what the options of a route say', () => {
  const found = declaredBaseline(routes, true)(sample(0, 'GET /users/7'))
  expect(found).toMatchObject({ name: 'GET /users/{id}', statuses: [200, 410, 503, 400, 422, 404] })
  expect(found?.answer(200)?.compare?.({ id: '7' })).toMatchObject([{ pointer: '/id' }])
  expect(found?.answer(410)).toEqual({ types: [], headers: [] })
  expect(found?.answer(500)).toBeUndefined()
})

it('expects 204 of a deletion, and 404 only of what is stored', () => {
  expect(declaredBaseline(routes, false)(sample(0, 'DELETE /users/7'))?.statuses).toEqual([204])
})

it('knows the answers of a description by status, class and default', () => {
  const content = (type: string): Content => new Map([[type, { model: User, examples: [] }]])
  const header = { name: 'X-Id', required: true, model: {}, examples: [] }
  const [route] = routes
  const operation = {
    place: '',
    parameters: [],
    security: [],
    responses: [
      { status: 200 as const, content: content('application/json; charset=utf-8'), headers: [header] },
      { status: '4XX' as const, content: content('application/problem+json'), headers: [] },
    ],
  }
  const found = declaredBaseline(
    [{ ...(route as NonNullable<typeof route>), operation }],
    false,
  )(sample(0, 'GET /users/7'))
  expect(found?.statuses).toEqual([200, '4XX'])
  expect(found?.answer(200)).toMatchObject({ types: ['application/json'], headers: ['x-id'] })
  expect(found?.answer(404)?.types).toEqual(['application/problem+json'])
  expect(found?.answer(500)).toBeUndefined()
})
