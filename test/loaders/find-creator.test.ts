import { describe, expect, it } from 'vitest'
import { findCreator } from '../../src/loaders/find-creator.ts'
import { createRoute, type Method } from '../../src/engine/route.ts'

const routes = [
  'GET /users',
  'POST /users/',
  'GET /users/{id}',
  'PUT /users/{user}',
  'POST /orgs/{org}/teams',
  'GET /orgs/{o}/teams/{id}',
  'GET /notes',
  'GET /notes/{id}',
  'PUT /notes/{note}',
  'DELETE /nothing/{id}',
].map((key) => {
  const [method = '', path = ''] = key.split(' ')
  return createRoute(method as Method, path, {})
})
const creatorOf = (key: string): string | undefined => {
  const route = routes.find((each) => each.key === key)
  return route === undefined ? 'no such route' : findCreator(route, routes)?.key
}

describe('the route that creates items', () => {
  it.for([
    ['GET /users', 'POST /users/'],
    ['GET /users/{id}', 'POST /users/'],
    ['PUT /users/{user}', 'POST /users/'],
    ['GET /orgs/{o}/teams/{id}', 'POST /orgs/{org}/teams'],
    ['GET /notes/{id}', 'PUT /notes/{note}'],
    ['PUT /notes/{note}', undefined],
    ['GET /notes', undefined],
    ['POST /users/', undefined],
    ['DELETE /nothing/{id}', undefined],
  ] as const)('for %s is %s', ([key, expected]) => {
    expect(creatorOf(key)).toBe(expected)
  })
})
