import { expect, it } from 'vitest'
import { inferRoutes, type InferredRoute } from '../../../src/recording/infer/infer-routes.ts'
import {
  filterOf,
  resourceModel,
  routesOf,
  storedModel,
} from '../../../src/recording/infer/resource-models.ts'
import type { Resource } from '../../../src/recording/infer/resources.ts'
import { samplesOf } from './samples.ts'

const { routes, resources } = inferRoutes(
  samplesOf(
    ['GET /users?role=a', { response: [{ id: 1, role: 'a' }] }],
    ['GET /users?role=b', { response: [{ id: 3, role: 'b' }] }],
    ['GET /users?role=c', { response: [{ id: 2, role: 'c', note: 'x' }] }],
    ...['d', 'e', 'f'].map(
      (role, index) => ['POST /users', { body: { role }, response: { id: 4 + index, role } }] as const,
    ),
    ...[4, 5, 6].map((id, index) => [`GET /users/${id}`, { response: { id, role: 'def'[index] } }] as const),
    ['GET /other', { response: { id: 1 } }],
  ),
)
const [users] = resources
const own = routesOf(users as Resource, routes)
const byName = (name: string): InferredRoute =>
  own.find(({ method, path }) => `${method} ${path}` === name) as InferredRoute

it('has the routes of the items and of their collection', () => {
  expect(own.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /users',
    'GET /users/{id}',
    'POST /users',
  ])
})

it('has one model from all that they answered', () => {
  expect(resourceModel(own)).toMatchObject({
    properties: { id: {}, role: {}, note: {} },
    required: ['id', 'role'],
  })
})

it('links only what is written', () => {
  const model = resourceModel(own)
  expect(storedModel(model, 'id', byName('POST /users'))).toHaveProperty('properties.role.x-sim-link', {
    fromInput: 'role',
  })
  expect(storedModel(model, 'id', byName('GET /users/{id}'))).toBe(model)
})

it('filters a list by the parameter that its items repeat', () => {
  expect(filterOf(byName('GET /users'))).toBe('role')
  expect(filterOf(byName('POST /users'))).toBeUndefined()
})
