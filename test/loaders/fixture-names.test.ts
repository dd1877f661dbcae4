import { describe, expect, it } from 'vitest'
import { fixtureNames } from '../../src/loaders/fixture-names.ts'
import { createRoute, type Method } from '../../src/engine/route.ts'

function namesOf(...keys: readonly string[]): string[] {
  const routes = keys.map((key) => {
    const [method = '', path = ''] = key.split(/ (.*)/s)
    return createRoute(method as Method, path, {})
  })
  return [...fixtureNames(routes).values()]
}

describe('fixture names', () => {
  it.for([
    ['GET /', 'root_GET.json'],
    ['GET /users', 'users_GET.json'],
    ['PATCH /users/{id}', 'users_id_PATCH.json'],
    ['GET /files/{name}.{ext}', 'files_name.ext_GET.json'],
    ['GET /users/', 'users_GET.json'],
    ['POST /v1/things:copy', 'v1_things_copy_POST.json'],
    ['GET /../..', '.._.._GET.json'],
  ] as const)('of %s is %s', ([key, name]) => {
    expect(namesOf(key)).toEqual([name])
  })

  it('of paths that would share one are numbered, all methods of a path alike', () => {
    expect(namesOf('GET /a/b', 'GET /a_b', 'POST /a/{b}', 'PUT /a/b', 'DELETE /A/B', 'GET /a_b_2')).toEqual([
      'a_b_GET.json',
      'a_b_2_GET.json',
      'a_b_3_POST.json',
      'a_b_PUT.json',
      'A_B_4_DELETE.json',
      'a_b_2_2_GET.json',
    ])
  })

  it('are not longer than file systems take', () => {
    const [name = ''] = namesOf(`GET /${'x'.repeat(500)}`)
    expect(name.length).toBeLessThan(200)
  })
})
