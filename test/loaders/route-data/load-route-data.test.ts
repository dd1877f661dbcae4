import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadTarget } from '../../../src/loaders/load-target.ts'
import type { SimAPI } from '../../../src/api.ts'
import { createClient } from '../../../src/testing/client.ts'
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

async function load(text: string, name = 'api.yaml'): Promise<SimAPI> {
  folder.write(name, text)
  const target = await loadTarget(name, folder.path)
  if (target.kind !== 'api') throw new Error('a document is an app of declared routes')
  return target.api
}

const SHOP = `
options: { seed: 42, stateful: true, list_count: 2 }
x-busy: &busy [{ status: 503, detail: busy }, { status: 200 }]
models:
  User:
    type: object
    required: [id, name, tags, boss]
    properties:
      id: { type: string }
      name: { type: string, minLength: 1, x-sim-link: { fromInput: name } }
      tags: { type: array, items: { $ref: '#/models/Tag' } }
      boss: { anyOf: [{ $ref: '#/models/User' }, { type: 'null' }] }
  Tag: { type: string, enum: [red, blue] }
  New: { type: object, required: [name], properties: { name: { type: string } } }
routes:
  GET /users: { output: { list: { $ref: '#/models/User' } }, scenario: *busy }
  GET /users/{id}: { output: { $ref: '#/models/User' } }
  POST /users: { input: { $ref: '#/models/New' }, output: { $ref: '#/models/User' }, status: 201 }
  DELETE /users/{id}:
store:
  /users: [{ id: u1, name: Ann, tags: [red], boss: null }]
`

describe('a file of routes', () => {
  it('declares an app that keeps what is created', async () => {
    const client = createClient(await load(SHOP))
    const statuses: number[] = []
    const bodies: unknown[] = []
    const requests = [
      ['GET', '/users'],
      ['GET', '/users'],
      ['POST', '/users', { name: 'Bob' }],
      ['GET', '/users/u1'],
      ['DELETE', '/users/u1'],
      ['GET', '/users/u1'],
    ] as const
    for (const [method, path, body] of requests) {
      const init =
        body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const response = await client.fetch(path, { method, ...init })
      statuses.push(response.status)
      const text = await response.text()
      bodies.push(text === '' ? undefined : JSON.parse(text))
    }
    await client.close()
    expect(statuses).toEqual([503, 200, 201, 200, 204, 404])
    expect(bodies.slice(0, 3)).toMatchObject([
      { detail: 'busy' },
      [{ id: 'u1', name: 'Ann' }],
      { name: 'Bob' },
    ])
  })

  it('means the same in JSON', async () => {
    const data = { models: { A: { const: 1 } }, routes: { 'GET /a': { output: { $ref: '#/models/A' } } } }
    const api = await load(JSON.stringify(data), 'api.json')
    expect(api.routes[0]?.options.output).toMatchObject({ title: 'A', const: 1 })
  })

  it('declares pages, by offset and by token, and pages of its own', async () => {
    const api = await load(`
models: { User: { type: object, required: [id], properties: { id: { type: integer } } } }
routes:
  GET /pages: { input: { $ref: '#/models/PageParams' }, output: { page: { $ref: '#/models/User' } } }
  GET /slices: { output: { slice: { $ref: '#/models/User' } } }
  GET /table:
    input: { type: object, properties: { token: { type: string } } }
    output: { slice: { $ref: '#/models/User' } }
    page_table: { pages: { '': [{ id: 1 }], two: [{ id: 2 }] }, next_tokens: { '': two }, token_field: token }
`)
    const app = api.asWebApp()
    const get = async (url: string): Promise<unknown> => (await app.inject({ url })).json()
    expect(await get('/pages?limit=3&offset=5')).toMatchObject({ limit: 3, offset: 5, items: [{}, {}, {}] })
    expect(await get('/slices')).toHaveProperty('next_page_token')
    expect(await get('/table')).toEqual({ items: [{ id: 1 }], next_page_token: 'two' })
    expect(await get('/table?token=two')).toEqual({ items: [{ id: 2 }], next_page_token: null })
    await app.close()
  })

  it('maps errors by a field or by a model of the input', async () => {
    const api = await load(`
routes:
  GET /users/{id}:
    errors:
      - { when: { field: id, equals: 7 }, status: 404, detail: { reason: gone } }
      - { when: { fits: { properties: { id: { pattern: ^x } } } }, status: 409 }
      - { when: { field: id, equals: 9 }, status: 410, text: '<b>gone</b>', type: text/html }
`)
    const app = api.asWebApp()
    const get = async (url: string): Promise<unknown> => {
      const { statusCode, payload } = await app.inject({ url })
      return [statusCode, payload]
    }
    expect(await get('/users/7')).toEqual([404, '{"detail":{"reason":"gone"}}'])
    expect(await get('/users/x1')).toEqual([409, '{"detail":"Invalid request"}'])
    expect(await get('/users/9')).toEqual([410, '<b>gone</b>'])
    expect((await app.inject({ url: '/users/9' })).headers['content-type']).toBe('text/html')
    expect(await get('/users/8')).toEqual([200, ''])
    await app.close()
  })

  it('reads fixtures relative to itself, whatever the working directory', async () => {
    folder.write('api/data/users.json', '{ "list": [{ "id": "a", "name": "Ann" }], "motto": "on we go" }')
    const api = await load(
      `
options: { stateful: true, validate_links: true }
routes:
  GET /users: { output: { list: &user { type: object, properties: { id: { type: string }, name: { type: string } } } } }
  GET /motto:
    input: { type: object, properties: { when: { type: string } } }
    output:
      type: string
      x-sim-link:
        whenInput: { field: when, equals: now, then: { fromJsonFixture: { path: data/users.json, pointer: motto } } }
  GET /ann:
    input: { type: object, properties: { name: { type: string } } }
    output: { type: object, properties: { id: { type: string } }, x-sim-link: { fromNestedFixture: { path: data/users.json, pointer: list, where: { name: name } } } }
store:
  /users: { path: data/users.json, pointer: list }
`,
      'api/routes.yml',
    )
    const app = api.asWebApp()
    const get = async (url: string): Promise<unknown> => (await app.inject({ url })).json()
    expect(await get('/users')).toEqual([{ id: 'a', name: 'Ann' }])
    expect(await get('/motto?when=now')).toBe('on we go')
    expect(await get('/ann?name=Ann')).toEqual({ id: 'a', name: 'Ann' })
    expect(JSON.stringify(api.openapi())).not.toContain(folder.path)
    await app.close()
  })

  it('takes its options over those of the config file, and those of a command over both', async () => {
    folder.write('sim.yaml', 'seed: 1\nlist_count: 7\n')
    folder.write(
      'api.yaml',
      'options: { seed: 2 }\nroutes: { GET /a: { output: { list: { type: integer } } } }\n',
    )
    const load = async (options: object): Promise<SimAPI> => {
      const target = await loadTarget('api.yaml', folder.path, { options })
      return (target as { api: SimAPI }).api
    }
    const api = await load({})
    expect([api.seed, api.routes[0]?.options.listCount]).toEqual([2, 7])
    expect((await load({ seed: 3, stateful: undefined })).seed).toBe(3)
  })
})
