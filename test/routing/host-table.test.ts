import { describe, expect, it } from 'vitest'
import { createHostTable } from '../../src/routing/host-table.ts'
import { createRoute, joinRoutes, type RouteDefinition } from '../../src/engine/route.ts'
import { DuplicateRoute } from '../../src/errors.ts'

const on = (host: string | undefined, path: string, method: 'GET' | 'POST' = 'GET'): RouteDefinition =>
  createRoute(method, path, host === undefined ? {} : { host })
const answers = (routes: readonly RouteDefinition[], host: string, path: string): string | undefined =>
  createHostTable(routes).match({ method: 'GET', path, host, scheme: 'http' })?.route.key

describe('a table of routes by host', () => {
  const routes = [
    on(undefined, '/users/me'),
    on('*.example.com', '/users/{id}'),
    on('api.example.com', '/{all}/{id}'),
    on('*.b.example.com', '/users/{id}'),
    on('api.example.com:8443', '/users/{id}'),
  ]

  it.for([
    ['api.example.com', '/users/me', 'GET api.example.com/{all}/{id}'],
    ['API.EXAMPLE.COM.:80', '/users/me', 'GET api.example.com/{all}/{id}'],
    ['api.example.com:8443', '/users/me', 'GET api.example.com:8443/users/{id}'],
    ['a.b.example.com', '/users/me', 'GET *.b.example.com/users/{id}'],
    ['www.example.com', '/users/me', 'GET *.example.com/users/{id}'],
    ['example.com', '/users/me', 'GET /users/me'],
    ['no host', '/users/me', 'GET /users/me'],
    ['example.com', '/users/7', undefined],
  ] as const)('lets the most specific host answer %s%s', ([host, path, key]) => {
    expect(answers(routes, host, path)).toBe(key)
  })

  it('asks the next host where the most specific one does not have the path', () => {
    expect(answers([on('api.example.com', '/a'), on(undefined, '/b')], 'api.example.com', '/b')).toBe(
      'GET /b',
    )
  })

  it('lets a route without a host answer a call without one', () => {
    expect(createHostTable(routes).match({ method: 'GET', path: '/users/me' })?.route.key).toBe(
      'GET /users/me',
    )
  })

  it('names the methods of all tables that may answer', () => {
    const table = createHostTable([on('a.example', '/x', 'POST'), on(undefined, '/x')])
    expect(table.allowed({ path: '/x', host: 'a.example' })).toEqual(['POST', 'OPTIONS', 'GET', 'HEAD'])
    expect(table.allowed({ path: '/x', host: 'b.example' })).toEqual(['GET', 'HEAD', 'OPTIONS'])
    expect(table.allowed({ path: '/y', host: 'b.example' })).toEqual([])
  })

  it('takes the same path on two hosts as two routes, and on one host as a duplicate', () => {
    expect(() =>
      joinRoutes([on('a.example', '/x'), on('b.example', '/x'), on(undefined, '/x')]),
    ).not.toThrow()
    expect(() => joinRoutes([on('a.example', '/x'), on('A.example', '/x/')])).toThrow(DuplicateRoute)
  })

  it('refuses what is no host', () => {
    expect(() => on('http://a.example', '/x')).toThrow('host must be a host such as api.example.com')
  })
})
