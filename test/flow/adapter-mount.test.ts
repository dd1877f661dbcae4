import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAdapter } from 'sim-gateway/adapter'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { notes } from '../adapter/notes-adapter.ts'
import { rawAnswer, textOf, tlsThroughTunnel } from './raw-client.ts'
import { runSim, startSim, type SimServer } from './sim-process.ts'
import { VENDOR } from './vendor-adapter.ts'
import { closeAll, startGateway, temporaryDirectory } from './ways-in-setup.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const core = JSON.stringify(join(ROOT, 'dist/src/index.js'))

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'vendor.mjs': VENDOR,
    'starter.yaml': 'version: 1\nusers: [ada]\n',
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
})
afterAll(() => folder[Symbol.dispose]())

describe('an adapter mounted by a config file', () => {
  let sim: SimServer
  beforeAll(async () => {
    sim = await startSim(['proxy'], folder.path)
  })
  afterAll(() => sim.stop())

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(sim.url + path, init)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? '' : (JSON.parse(text) as unknown),
    }
  }
  const add = (name: string) => ({ method: 'POST', body: JSON.stringify({ name }) })

  it('answers below its prefix, from its own fixture', async () => {
    const { status, body, headers } = await ask('/vendor/v1/users?q=a%20b')
    expect([status, body]).toEqual([200, { users: ['grace'], q: 'a b' }])
    expect(headers.get('x-vendor-request')).toMatch(/^[\da-f-]{36}$/)
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('is told where its client sees it, by the gateway and nobody else', async () => {
    const { host, port } = new URL(sim.url)
    const forged = { 'x-forwarded-host': 'evil.test', 'x-forwarded-for': '::1', forwarded: 'host=evil.test' }
    expect((await ask('/vendor/v1/origin', { headers: forged })).body).toEqual({
      'x-forwarded-proto': 'http',
      'x-forwarded-host': host,
      'x-forwarded-prefix': '/vendor',
    })
    const request =
      'GET http://api.vendor.test/v1/origin HTTP/1.1\r\nHost: api.vendor.test\r\nX-Forwarded-Prefix: /x\r\n'
    const other = await rawAnswer(Number(port), `${request}Connection: close\r\n\r\n`)
    expect(other).toContain('\r\n\r\n{"x-forwarded-proto":"http","x-forwarded-host":"api.vendor.test"}')
  })

  it('gives way to declared routes, and keeps what is below its prefix', async () => {
    expect((await ask('/vendor/v1/users/declared')).body).toBe('declared')
    expect(await ask('/vendor/v1/nothing')).toMatchObject({ status: 404, body: { vendor: 'unknown-path' } })
    expect(await ask('/vendored')).toMatchObject({ status: 404, body: { error: 'RouteNotFound' } })
  })

  it('fails by its own faults first', async () => {
    expect((await ask('/vendor/v1/users/a%2Fb')).status).toBe(503)
    expect((await ask('/vendor/v1/users/a%2Fb')).body).toEqual({ user: 'a/b' })
  })

  it('keeps what is written, apart from the same adapter elsewhere', async () => {
    expect((await ask('/vendor/v1/users', add('mary'))).status).toBe(201)
    expect((await ask('/vendor/v1/users')).body).toMatchObject({ users: ['grace', 'mary'] })
    const { port } = new URL(sim.url)
    const other = await rawAnswer(
      Number(port),
      'GET http://api.vendor.test/v1/users HTTP/1.1\r\nHost: api.vendor.test\r\nConnection: close\r\n\r\n',
    )
    expect(other).toMatch(/^HTTP\/1.1 200[^]*\{"users":\["ada"\],"q":null\}$/)
  })

  it('refuses a body that is too long in its own form', async () => {
    const { status, body } = await ask('/vendor/v1/users', add('x'.repeat(200)))
    expect([status, body]).toEqual([413, { vendor: 'body-too-large' }])
  })

  it('is controlled below its name', async () => {
    expect((await ask('/__sim/adapters')).body).toEqual({
      adapters: [
        { name: 'sim-vendor', prefix: '/vendor' },
        { name: 'sim-vendor', host: 'api.vendor.test' },
      ],
    })
    await ask('/vendor/v1/users', add('lost'))
    expect((await ask('/__sim/adapters/sim-vendor/reset', { method: 'POST' })).status).toBe(200)
    expect((await ask('/vendor/v1/users')).body).toMatchObject({ users: ['grace'] })
    expect((await ask('/__sim/adapters/sim-vendor/clock')).body).toEqual({ now: '2026-01-01T00:00:00.000Z' })
    expect((await ask('/vendor/__sim/clock')).status).toBe(200)
    expect(await ask('/__sim/adapters/other/clock')).toMatchObject({
      status: 404,
      body: { error: 'RouteNotFound' },
    })
  })

  it('is put back with the gateway, but not with a session that has a key', async () => {
    const reset = (headers = {}) => ask('/__sim/reset', { method: 'POST', headers })
    await ask('/vendor/v1/users', add('lost'))
    expect((await reset({ 'x-sim-session': 'other' })).body).toMatchObject({ session: 'other', adapters: [] })
    expect((await ask('/vendor/v1/users')).body).toMatchObject({ users: ['grace', 'lost'] })
    expect((await reset()).body).toMatchObject({ session: '', adapters: ['sim-vendor', 'sim-vendor'] })
    expect((await ask('/vendor/v1/users')).body).toMatchObject({ users: ['grace'] })
    expect((await ask('/vendor/v1/users/ada')).status).toBe(503)
  })

  it('leaves its requests and answers in the journal', async () => {
    await ask('/vendor/v1/users?q=journal')
    const { body } = await ask('/__sim/requests?limit=1')
    expect(body).toMatchObject([
      { path: '/vendor/v1/users', status: 200, response_body: { users: ['grace'], q: 'journal' } },
    ])
  })
})

describe('adapters that are installed', () => {
  it('are mounted by their names', async () => {
    using project = temporaryFolder({
      'sim.yaml': `gateway:
  adapters:
    - { use: sim-ontology, prefix: /ontology }
    - { use: sim-workspace, prefix: /workspace }
`,
    })
    mkdirSync(`${project.path}/node_modules`)
    for (const name of ['ontology', 'workspace'])
      symlinkSync(join(ROOT, 'adapters', name), `${project.path}/node_modules/sim-${name}`)
    const sim = await startSim(['proxy'], project.path)
    for (const path of ['/ontology/api/v2/ontologies', '/workspace/api/2.1/clusters/list'])
      expect((await fetch(sim.url + path)).status).toBe(200)
    expect(await sim.stop()).toBe(0)
  })
})

describe('the plugins of a gateway', () => {
  it('act on adapters too', async () => {
    const sim = await startSim(['proxy', '--error-rate', '1', '--error-codes', '599'], folder.path)
    const answer = await fetch(`${sim.url}/vendor/v1/users`)
    expect(answer.status).toBe(599)
    expect(await sim.stop('SIGINT')).toBe(0)
  })
})

describe('an adapter for a host', () => {
  const directory = temporaryDirectory()
  afterEach(closeAll)

  it('answers what comes through a tunnel to it, whose TLS ends at the gateway', async () => {
    const caDirectory = join(directory, 'ca')
    const adapters = [{ adapter: createAdapter(notes), host: '*.notes.test' }]
    const { port } = await startGateway({ adapters, tls: { caDirectory } })
    const socket = await tlsThroughTunnel(caDirectory, port, 'api.notes.test:443')
    socket.write('GET /v1/notes/a HTTP/1.1\r\nHost: api.notes.test\r\nConnection: close\r\n\r\n')
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 200[^]*\{"id":"a","text":"first"\}$/)
  })
})

describe('a config file that mounts what is no adapter', () => {
  it.for([
    ['use: ./missing.mjs', /Module '\.\/missing\.mjs' not found/],
    [
      'use: sim-nothing',
      /The adapter 'sim-nothing' is not installed where .*sim\.yaml is: npm install sim-nothing/,
    ],
    ['use: ./app.mjs', /'\.\/app\.mjs' is no adapter: it exports no 'adapter'/],
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
    using other = temporaryFolder({
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
