import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../../src/testing/open-app.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { runSim, startSim } from './sim-process.ts'

const ROUTES = {
  options: { seed: 3 },
  models: {
    User: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
  },
  routes: {
    'GET /users': { output: { list: { $ref: '#/models/User' } }, list_count: 2 },
    'GET /users/{id}': { output: { $ref: '#/models/User' } },
    'POST /users': { input: { $ref: '#/models/User' }, output: { $ref: '#/models/User' } },
  },
}
const NAMES = ['routes.yml', 'routes.json', 'openapi.yaml']

let folder: TemporaryFolder
beforeAll(async () => {
  const json = JSON.stringify(ROUTES)
  // JSON is YAML.
  folder = temporaryFolder({ 'routes.yml': json, 'routes.json': json })
  await runSim(['export', 'openapi', 'routes.json', '-o', 'openapi.yaml'], folder.path)
})
afterAll(() => folder[Symbol.dispose]())

describe.for(NAMES)('the target %s', (name) => {
  it.for([
    ['run', name],
    ['proxy', '--routes', name],
  ])('is served by sim %s', async (args) => {
    const server = await startSim([...args, '--seed', '5'], folder.path)
    const users = await (await fetch(`${server.url}/users`)).json()
    expect(await server.stop()).toBe(0)
    expect(users).toEqual([{ id: expect.stringMatching(/^[\da-f-]{36}$/) }, { id: expect.anything() }])
  })

  it('is stateful when it is told to be', async () => {
    const server = await startSim(['run', name, '--stateful'], folder.path)
    const body = JSON.stringify({ id: '8fd6a2f6-62ef-4a3a-9d8e-0a4c9d0f5b52' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${server.url}/users`, { method: 'POST', headers, body })
    const users = await (await fetch(`${server.url}/users`)).json()
    await server.stop()
    expect(users).toHaveLength(1)
  })

  it('is validated and exported', async () => {
    expect(await runSim(['validate', name], folder.path)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^OK: 3 routes/),
    })
    const { stdout } = await runSim(['export', 'openapi', name], folder.path)
    expect(JSON.parse(stdout)).toMatchObject({ paths: { '/users': { get: {}, post: {} } } })
    const { code } = await runSim(['export', 'fixtures', name, '-o', `${name}.d`], folder.path)
    expect([code, existsSync(join(folder.path, `${name}.d/users_GET.json`))]).toEqual([0, true])
  })

  it('is opened by the helpers for tests, each time anew', async () => {
    const [first, second] = [await openApp(join(folder.path, name)), await openApp(join(folder.path, name))]
    expect(first.routes.map(({ key }) => key).toSorted()).toEqual([
      'GET /users',
      'GET /users/{id}',
      'POST /users',
    ])
    expect(second).not.toBe(first)
  })
})

describe('a document that is no target', () => {
  it.for([
    ['missing.yaml', /^File 'missing\.yaml' not found, looked in /],
    ['other.yaml', /^other\.yaml:1: neither a file of routes, which has routes: at its top, nor an OpenAPI/],
    ['broken.json', /^broken\.json:2: not valid JSON/],
  ] as const)('is refused: %s', async ([name, message]) => {
    folder.write('other.yaml', 'seed: 3\n')
    folder.write('broken.json', '{\n  "routes": }\n')
    const { code, stderr } = await runSim(['run', name], folder.path)
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  })
})
