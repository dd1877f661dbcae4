import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../../src/testing/open-app.ts'
import { DESCRIPTIONS } from '../openapi/import/read-file.ts'
import { fetchFrom, openFolder, openSim, post, send, type HostedSim } from './kit.ts'
import { runSim } from './sim-process.ts'

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

const json = JSON.stringify(ROUTES)
// JSON is YAML.
const folder = openFolder({ 'routes.yml': json, 'routes.json': json })
beforeAll(async () => {
  await runSim(['export', 'openapi', 'routes.json', '-o', 'openapi.yaml'], folder.path)
})

describe.for(NAMES)('the target %s', (name) => {
  it.for([
    ['run', name],
    ['proxy', '--routes', name],
  ])('is served by sim %s', async (args) => {
    const server = await openSim([...args, '--seed', '5'], folder.path)
    const { body } = await fetchFrom(`${server.url}/users`)
    expect(await server.stop()).toBe(0)
    expect(body).toEqual([{ id: expect.stringMatching(/^[\da-f-]{36}$/) }, { id: expect.anything() }])
  })

  it('is stateful where the command says so', async () => {
    const { url } = await openSim(['run', name, '--stateful'], folder.path)
    const { body: created } = await post(`${url}/users`, { id: '8fd6a2f6-62ef-4a3a-9d8e-0a4c9d0f5b52' })
    expect((await fetchFrom(`${url}/users`)).body).toContainEqual(created)
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

describe('a document that cannot be a target', () => {
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

const describedBy = (name: string): string => join(DESCRIPTIONS, name)
const BEARER = { authorization: 'Bearer t' }

describe('a described target of sim run', () => {
  let server: HostedSim
  beforeAll(async () => {
    server = await openSim(['run', describedBy('pets.yaml'), '--seed', '1'])
  })

  it('says what is not simulated', async () => {
    await expect
      .poll(server.stderr)
      .toMatch(/not simulated: 1 security scheme, 1 callback, 1 link, 1 external example/)
  })

  it('serves each operation below its base path', async () => {
    const animals = await fetchFrom(`${server.url}/v1/animals`, BEARER)
    expect(animals.status).toBe(200)
    expect(animals.body).toHaveLength(5)
    const diff = await fetchFrom(`${server.url}/v1/diff/a...b`, BEARER)
    expect([diff.status, diff.text]).toEqual([200, ''])
    const missing = await fetchFrom(`${server.url}/animals`)
    expect(missing.body.detail).toContain('ask for /v1/animals')
  })

  it('keeps what is created where the description says so', async () => {
    const created = await post(`${server.url}/v1/pets`, { name: 'Rex', secret: 's' }, { 'x-api-key': 'k' })
    expect(created.status).toBe(201)
    const { id } = created.body as { readonly id: number }
    expect(created.body).toMatchObject({ name: 'Rex' })
    const listed = await fetchFrom(`${server.url}/v1/pets`, { ...BEARER, 'x-tenant': 'a' })
    expect(listed.body).toContainEqual(expect.objectContaining({ id, name: 'Rex' }))
  })

  it('answers HEAD by an operation of its own', async () => {
    const { status, text } = await send('HEAD', `${server.url}/v1/pets/7`, undefined, BEARER)
    expect([status, text]).toEqual([200, ''])
  })
})

describe('a described target', () => {
  it('is served with others by sim proxy', async () => {
    const routes = [describedBy('library.json'), describedBy('shop/openapi.yaml')]
    const { url } = await openSim(['proxy', '--routes', ...routes])
    expect((await fetchFrom(`${url}/api/books`)).body).toHaveLength(2)
    expect((await fetchFrom(`${url}/items`)).body).toEqual([{ name: 'Nail', price: { amount: 1 } }])
  })

  it('is refused by --strict when it gets something wrong, and served without', async () => {
    const refused = await runSim(['run', describedBy('broken/dangling.yaml'), '--strict', '--port', '0'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /dangling\.yaml:11: #\/paths\/~1a\S+: refers to #\/components\/schemas\/Gone: it is not there\n$/,
    )

    const server = await openSim(['run', describedBy('broken/dangling.yaml')])
    expect(server.stderr()).toContain('refers to #/components/schemas/Gone')
    expect((await fetchFrom(`${server.url}/b`)).status).toBe(200)
  })

  it('is checked by sim validate', async () => {
    expect(await runSim(['validate', describedBy('pets.yaml')])).toMatchObject({
      code: 0,
      stdout: 'OK: 9 routes, 5 links\n',
    })
    const { code, stderr } = await runSim(['validate', describedBy('broken/duplicate-path.yaml')])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /duplicate-path\.yaml:\d+: #\/paths\/~1a~1\{name\}\/get: .*\n1 problem in 2 routes\n$/,
    )
  })

  it('is exported as one document that is served the same', async () => {
    const file = join(folder.path, 'shop.json')
    expect((await runSim(['export', 'openapi', describedBy('shop/openapi.yaml'), '-o', file])).code).toBe(0)
    expect(await runSim(['validate', file])).toMatchObject({ code: 0, stdout: 'OK: 3 routes, 0 links\n' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Shop' },
    })
  })

  it('is exported as fixtures', async () => {
    const directory = join(folder.path, 'fixtures')
    expect(await runSim(['export', 'fixtures', describedBy('orders.json'), '-o', directory])).toMatchObject({
      code: 0,
    })
    expect(readdirSync(directory).toSorted()).toEqual([
      'openapi.json',
      'v2_orders_GET.json',
      'v2_orders_POST.json',
      'v2_orders_id_proof_POST.json',
      'v2_orders_id_proof_PUT.json',
    ])
    expect(JSON.parse(readFileSync(join(directory, 'v2_orders_GET.json'), 'utf8'))).toEqual([
      { id: 1, kind: 'Order' },
    ])
  })

  it.for([
    ['that is not valid YAML', 'openapi: 3.0.3\na: [', /not valid YAML/],
    ['of an unknown version', 'openapi: 9.9.9', /OpenAPI 9\.9\.9 is not supported/],
    ['that is too deep', `openapi: 3.0.3\na: ${'['.repeat(100_000)}`, /more than 200 deep/],
  ] as const)('%s ends the command with one message', async ([, text, message]) => {
    const file = folder.write('broken.yaml', text)
    const { code, stderr } = await runSim(['run', file, '--port', '0'])
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
