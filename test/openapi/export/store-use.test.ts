import { describe, expect, it } from 'vitest'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { storeUseOf } from '../../../src/openapi/export/store-use.ts'

const User = { type: 'object', properties: { id: { type: 'string' } } }
const pageTable = new PageTable({ pages: { '': [] } })

describe('storeUseOf', () => {
  it.for<[Method, string, RouteOptions, string | undefined]>([
    ['GET', '/users', { output: list(User) }, undefined],
    ['GET', '/users', { output: User }, undefined],
    ['GET', '/users/{id}', { output: User }, 'find'],
    ['GET', '/users/{id}', { output: list(User) }, undefined],
    ['GET', '/users/{id}', {}, undefined],
    ['POST', '/users', { output: User }, 'create'],
    ['POST', '/users/{id}', { output: User }, 'create'],
    ['POST', '/users', { output: list(User) }, undefined],
    ['PUT', '/users/{id}', { output: User }, 'replace'],
    ['PUT', '/users', { output: User }, undefined],
    ['PATCH', '/users/{id}', { output: User }, 'overlay'],
    ['DELETE', '/users/{id}', {}, 'remove'],
    ['DELETE', '/users/{id}', { output: User }, 'remove'],
    ['DELETE', '/users', {}, undefined],
    ['DELETE', '/users/{id}', { output: list(User), pageTable }, undefined],
  ])('tells of %s %s with %j: %s', ([method, path, options, does]) => {
    const route = createRoute(method, path, options)
    expect(storeUseOf(route, [route])?.does).toBe(does)
  })
})
