import { describe, expect, it } from 'vitest'
import { findShadowed } from '../../src/loaders/find-shadowed.ts'
import { createRoute, type Method } from '../../src/engine/route.ts'

const shadowed = (...keys: readonly string[]): string[] =>
  findShadowed(
    keys.map((key) => {
      const [method = '', path = ''] = key.split(/ (.*)/s)
      return createRoute(method as Method, path, {})
    }),
  ).map(({ message }) => message)

describe('shadowed routes', () => {
  it('are not those that share some paths', () => {
    expect(shadowed('GET /users/{id}', 'GET /users/me', 'POST /users/{id}', 'GET /users/{id}.json')).toEqual(
      [],
    )
    expect(shadowed('GET /files/{name}.json', 'GET /files/{name}.{ext}')).toEqual([])
  })

  it('are those whose paths are all answered by another', () => {
    expect(shadowed('GET /files/{name}.{ext}', 'GET /files/{name}.json')).toEqual([
      'GET /files/{name}.json: never asked, since GET /files/{name}.{ext} answers its paths',
    ])
    expect(shadowed('GET /caf%C3%A9', 'GET /café')).toEqual([
      'GET /caf%C3%A9: never asked, since GET /café answers its paths',
    ])
  })
})
