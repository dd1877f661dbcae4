import { describe, expect, it } from 'vitest'
import { createRoute, joinRoutes, type RouteDefinition } from '../../src/engine/route.ts'
import { DuplicateRoute } from '../../src/errors.ts'
import { findRouteOptionProblem } from '../../src/options/route-options.ts'

const on = (host: string | undefined, path: string): RouteDefinition =>
  createRoute('GET', path, host === undefined ? {} : { host }, findRouteOptionProblem)

describe('a route of a host', () => {
  it('is another one than that of the same path on another host, and a duplicate on the same', () => {
    expect(() =>
      joinRoutes([on('a.example', '/x'), on('b.example', '/x'), on(undefined, '/x')]),
    ).not.toThrow()
    expect(() => joinRoutes([on('a.example', '/x'), on('A.example', '/x/')])).toThrow(DuplicateRoute)
    expect(() => joinRoutes([on(undefined, '/x/{id}'), on(undefined, '/x/{path*}')])).not.toThrow()
  })

  it('is refused where the host cannot be one', () => {
    expect(() => on('http://a.example', '/x')).toThrow('host must be a host such as api.example.com')
  })
})
