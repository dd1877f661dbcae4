import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createAdapter } from 'sim-gateway/adapter'
import { beforeAll, describe, expect, it } from 'vitest'
import { notes } from '../adapter/notes-adapter.ts'
import {
  caDirectory,
  fetchFrom,
  openFolder,
  openSim,
  post,
  send,
  spawnCommand,
  spawnSim,
  startProxy,
  tlsTo,
  type HostedSim,
} from './kit.ts'
import { lastRequest, rawAnswer, textOf } from './raw-client.ts'
import { ROOT, runSim } from './sim-process.ts'
import { KIT, VENDOR } from './vendor-adapter.ts'

const core = JSON.stringify(join(ROOT, 'dist/src/index.js'))
const VENDOR_URL = 'http://api.vendor.test'

const folder = openFolder({
  'vendor.mjs': VENDOR,
  'starter.yaml': 'version: 1\nusers: [ada]\n',
  'cli.mjs': `import { runAdapterAsProcess } from ${KIT}
import { adapter } from './vendor.mjs'
await runAdapterAsProcess(adapter)\n`,
  'data/users.yaml': 'version: 1\nusers: [grace]\n',
  'app.mjs': `import { SimAPI } from ${core}
export const api = new SimAPI({ seed: 1 }).get('/vendor/v1/users/declared', { output: { const: 'declared' } })\n`,
  'sim.yaml': `
gateway:
  routes: [app.mjs]
  adapters:
    - use: ./vendor.mjs
      prefix: /vendor
      fixture: data/users.yaml
      faults: [{ operation: get, status: 503, times: 1 }]
    - use: ./vendor.mjs
      host: api.vendor.test
`,
})

describe('an adapter mounted by a config file', () => {
  let sim: HostedSim
  beforeAll(async () => {
    sim = await openSim(['proxy'], folder.path)
  })
  const get = (path: string, headers = {}) => fetchFrom(sim.url + path, headers)
  const control = (path: string, headers = {}) => post(`${sim.url}/__sim${path}`, undefined, headers)
  const addUser = (name: string) => post(`${sim.url}/vendor/v1/users`, JSON.stringify({ name }))

  it('answers below its prefix, from its own fixture', async () => {
    const { status, body, headers } = await get('/vendor/v1/users?q=a%20b')
    expect([status, body]).toEqual([200, { users: ['grace'], q: 'a b' }])
    expect(headers.get('x-vendor-request')).toMatch(/^[\da-f-]{36}$/)
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('learns where its client sees it, from the gateway and nobody else', async () => {
    const { host, port } = new URL(sim.url)
    const forged = { 'x-forwarded-host': 'evil.test', 'x-forwarded-for': '::1', forwarded: 'host=evil.test' }
    expect((await get('/vendor/v1/origin', forged)).body).toEqual({
      'x-forwarded-proto': 'http',
      'x-forwarded-host': host,
      'x-forwarded-prefix': '/vendor',
    })
    const request = lastRequest(`GET ${VENDOR_URL}/v1/origin`, 'api.vendor.test', 'X-Forwarded-Prefix: /x')
    const other = await rawAnswer(Number(port), request)
    expect(other).toContain('\r\n\r\n{"x-forwarded-proto":"http","x-forwarded-host":"api.vendor.test"}')
  })

  it('gives way to declared routes, and keeps what is below its prefix', async () => {
    expect((await get('/vendor/v1/users/declared')).body).toBe('declared')
    expect(await get('/vendor/v1/nothing')).toMatchObject({ status: 404, body: { vendor: 'unknown-path' } })
    expect(await get('/vendored')).toMatchObject({ status: 404, body: { error: 'RouteNotFound' } })
  })

  it('fails by its own faults first', async () => {
    expect((await get('/vendor/v1/users/a%2Fb')).status).toBe(503)
    expect((await get('/vendor/v1/users/a%2Fb')).body).toEqual({ user: 'a/b' })
  })

  it('keeps what is written, apart from the same adapter elsewhere', async () => {
    expect((await addUser('mary')).status).toBe(201)
    expect((await get('/vendor/v1/users')).body).toMatchObject({ users: ['grace', 'mary'] })
    const { port } = new URL(sim.url)
    const request = lastRequest(`GET ${VENDOR_URL}/v1/users`, 'api.vendor.test')
    const other = await rawAnswer(Number(port), request)
    expect(other).toMatch(/^HTTP\/1.1 200[^]*\{"users":\["ada"\],"q":null\}$/)
  })

  it('refuses a body that is too long in its own form', async () => {
    const { status, body } = await addUser('x'.repeat(200))
    expect([status, body]).toEqual([413, { vendor: 'body-too-large' }])
  })

  it('is controlled below its name', async () => {
    expect((await get('/__sim/adapters')).body).toEqual({
      adapters: [
        { name: 'sim-vendor', prefix: '/vendor' },
        { name: 'sim-vendor', host: 'api.vendor.test' },
      ],
    })
    await addUser('lost')
    expect((await control('/adapters/sim-vendor/reset')).status).toBe(200)
    expect((await get('/vendor/v1/users')).body).toMatchObject({ users: ['grace'] })
    expect((await get('/__sim/adapters/sim-vendor/clock')).body).toEqual({ now: '2026-01-01T00:00:00.000Z' })
    expect((await get('/vendor/__sim/clock')).status).toBe(200)
    expect(await get('/__sim/adapters/other/clock')).toMatchObject({
      status: 404,
      body: { error: 'RouteNotFound' },
    })
  })

  it('is put back with the gateway, but not with a session that has a key', async () => {
    const reset = (headers = {}) => control('/reset', headers)
    await addUser('lost')
    expect((await reset({ 'x-sim-session': 'other' })).body).toMatchObject({ session: 'other', adapters: [] })
    expect((await get('/vendor/v1/users')).body).toMatchObject({ users: ['grace', 'lost'] })
    expect((await reset()).body).toMatchObject({ session: '', adapters: ['sim-vendor', 'sim-vendor'] })
    expect((await get('/vendor/v1/users')).body).toMatchObject({ users: ['grace'] })
    expect((await get('/vendor/v1/users/ada')).status).toBe(503)
  })

  it('leaves its requests and answers in the journal', async () => {
    await get('/vendor/v1/users?q=journal')
    const { body } = await get('/__sim/requests?limit=1')
    expect(body).toMatchObject([
      { path: '/vendor/v1/users', status: 200, response_body: { users: ['grace'], q: 'journal' } },
    ])
  })
})

describe('adapters that are installed', () => {
  it('are mounted by their names', async () => {
    const project = openFolder({
      'sim.yaml': `gateway:
  adapters:
    - { use: sim-ontology, prefix: /ontology }
    - { use: sim-workspace, prefix: /workspace }
`,
    })
    mkdirSync(`${project.path}/node_modules`)
    for (const name of ['ontology', 'workspace'])
      symlinkSync(join(ROOT, 'adapters', name), `${project.path}/node_modules/sim-${name}`)
    const sim = await openSim(['proxy'], project.path)
    for (const path of ['/ontology/api/v2/ontologies', '/workspace/api/2.1/clusters/list'])
      expect((await fetchFrom(sim.url + path)).status).toBe(200)
    expect(await sim.stop()).toBe(0)
  })
})

describe('the plugins of a gateway', () => {
  it('act on adapters too', async () => {
    const sim = await spawnSim(['proxy', '--error-rate', '1', '--error-codes', '599'], folder.path)
    expect((await fetchFrom(`${sim.url}/vendor/v1/users`)).status).toBe(599)
    expect(await sim.stop('SIGINT')).toBe(0)
  })
})

describe('an adapter for a host', () => {
  it('answers what comes through a tunnel to it, whose TLS ends at the gateway', async () => {
    const adapters = [{ adapter: createAdapter(notes), host: '*.notes.test' }]
    const { port } = await startProxy({ adapters, tls: { caDirectory: caDirectory() } })
    const socket = await tlsTo(port, 'api.notes.test:443')
    socket.write(lastRequest('GET /v1/notes/a', 'api.notes.test'))
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 200[^]*\{"id":"a","text":"first"\}$/)
  })
})

describe('a config file that mounts something else than an adapter', () => {
  it.for([
    ['use: ./missing.mjs', /Module '\.\/missing\.mjs' not found/],
    [
      'use: sim-nothing',
      /The adapter 'sim-nothing' is not installed where .*sim\.yaml is: npm install sim-nothing/,
    ],
    ['use: ./app.mjs', /'\.\/app\.mjs' is no(?:t an)? adapter: it exports no 'adapter'/],
    ['host: api.example.com', /gateway\.adapters\[0\] must have a key 'use'/],
    ['use: ./vendor.mjs\n      fixture: bad.yaml', /bad\.yaml:1 \/users: Field required/],
    [
      'use: ./vendor.mjs\n      prefix: vendor',
      /gateway\.adapters\[0\]\.prefix must be a text that starts with '\/'/,
    ],
    [
      'use: ./vendor.mjs\n      auth: loose',
      /gateway\.adapters\[0\]\.auth must be one of disabled, optional, strict/,
    ],
    ['use: ./vendor.mjs\n      faults: [{ status: 99 }]', /A fault rule cannot be/],
  ] as const)('is refused: %s', async ([entry, message]) => {
    const other = openFolder({
      'vendor.mjs': VENDOR,
      'starter.yaml': 'version: 1\nusers: []\n',
      'bad.yaml': 'version: 1\n',
      'app.mjs': 'export const api = 1\n',
      'sim.yaml': `gateway:\n  adapters:\n    - ${entry}\n`,
    })
    const { code, stderr } = await runSim(['proxy', '--port', '0'], other.path)
    expect(stderr).toMatch(message)
    expect(code).toBe(1)
  })
})

const serveAdapter = () => spawnCommand(`${folder.path}/cli.mjs`, ['serve'])

describe('the command of an adapter', () => {
  it.for(['SIGINT', 'SIGTERM'] as const)('answers until %s, and ends with 0', async (signal) => {
    const server = await serveAdapter()
    expect((await fetchFrom(`${server.url}/v1/users`)).body).toEqual({ users: ['ada'], q: null })
    expect(await server.stop(signal)).toBe(0)
    expect(server.stderr()).toBe('')
  })

  it('says on stderr alone what went wrong in the adapter', async () => {
    const server = await serveAdapter()
    const answer = await post(`${server.url}/v1/crash`)
    expect([answer.status, answer.text]).toEqual([500, '{"vendor":"internal"}'])
    await server.prints(/"ReferenceError".*state is not defined.*"POST \/v1\/crash"/)
    expect(await server.stop()).toBe(0)
  })

  it('ends without waiting for an answer that is held back', async () => {
    const server = await serveAdapter()
    await send('PUT', `${server.url}/__sim/faults`, { latencyMs: 60_000 })
    const gone = fetch(`${server.url}/v1/users`, { signal: AbortSignal.timeout(50) })
    await expect(gone).rejects.toThrow('timeout')
    expect(await server.stop()).toBe(0)
    expect(server.stderr()).toBe('')
  })
})
