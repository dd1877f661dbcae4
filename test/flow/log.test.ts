import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { startUpstream } from './kit.ts'
import { startSim, type SimServer } from './sim-process.ts'

const APP = {
  'app.yaml': `routes:
  GET /users/{id}:
    output: { type: object, properties: { name: { const: Ada } }, required: [name] }
  GET /orders/{id}:
    stateful: true
    output: { type: object, properties: { id: { type: string } }, required: [id] }
`,
}

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function upstreamOf(): Promise<{ url: string; seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.end('from the upstream')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({ close: () => server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

async function start(cwd: string, ...args: readonly string[]): Promise<SimServer> {
  const sim = await startSim(args, cwd)
  open.push({ close: () => sim.stop() })
  return sim
}

function linesOf(sim: SimServer): Record<string, unknown>[] {
  const lines = sim
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('has a JSON line for each request that says who answered, and names requests to upstreams and in errors', async () => {
  using folder = temporaryFolder(APP)
  const upstream = await upstreamOf()
  const given = ['proxy', '--routes', 'app.yaml', '--log-level', 'info', '--upstream']
  const sim = await start(folder.path, ...given, upstream.url)
  await fetch(`${sim.url}/users/7?access_token=tok-5ecret-9f8e7d6c5b4a`)
  await fetch(`${sim.url}/orders/7`)
  await fetch(`${sim.url}/other`, { headers: { 'x-request-id': 'from-client' } })
  await fetch(`${sim.url}/other`)
  const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  await fetch(`${sim.url}/users/7`, { headers: { 'x-request-id': token, 'x-sim-session': token } })
  await fetch(`${sim.url}/__sim/health`)
  const gone = await start(folder.path, 'proxy', '--log-level', 'info', '--upstream', 'http://127.0.0.1:1')
  const failed = await fetch(`${gone.url}/x`)
  await Promise.all([sim.stop(), gone.stop()])

  const lines = linesOf(sim)
  expect(lines).toMatchObject([
    { level: 'info', method: 'GET', status: 200, bytes: 14, by: 'route', route: 'GET /users/{id}', id: 1 },
    { status: 404, by: 'store', route: 'GET /orders/{id}', error: 'SIM_ITEM_NOT_FOUND' },
    { path: '/other', status: 200, bytes: 17, by: 'upstream', requestId: 'from-client' },
    { path: '/other', by: 'upstream', session: '' },
    { path: '/users/7', requestId: '[redacted]', session: '[redacted]' },
  ])
  expect(sim.stderr()).not.toContain(token)
  expect(sim.stderr()).not.toContain('5ecret')
  expect(upstream.seen.map((headers) => headers['x-request-id'])).toEqual([
    'from-client',
    lines[3]?.['requestId'],
  ])

  const id = failed.headers.get('x-request-id')
  expect([failed.status, id]).toEqual([502, expect.stringMatching(/^[0-9a-f]{8}-1$/)])
  expect(linesOf(gone)).toMatchObject([
    { level: 'warn', requestId: id, msg: expect.stringContaining('SIM_UPSTREAM_UNREACHABLE') as unknown },
    { level: 'info', requestId: id, by: 'gateway', status: 502, error: 'SIM_UPSTREAM_UNREACHABLE' },
  ])
})

it('names the request whose answer an upstream broke off', async () => {
  using folder = temporaryFolder(APP)
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => response.socket?.destroy())
  })
  const sim = await start(folder.path, 'proxy', '--log-level', 'info', '--upstream', upstream.url)
  await expect(
    fetch(sim.url, { headers: { 'x-request-id': 'mine' } }).then((it) => it.text()),
  ).rejects.toThrow(/terminated/)
  await sim.stop()
  const broken = linesOf(sim).find(({ level }) => level === 'warn')
  expect(broken).toMatchObject({
    requestId: 'mine',
    msg: expect.stringContaining('broke off its answer') as unknown,
  })
})

it('loses no line of an answered request on SIGTERM', async () => {
  using folder = temporaryFolder(APP)
  const sim = await start(folder.path, 'run', 'app.yaml', '--log-level', 'info')
  const requested = 300
  await Promise.all(
    Array.from({ length: requested }, async (_, n) => (await fetch(`${sim.url}/users/${n}`)).text()),
  )
  await sim.stop()
  expect(new Set(linesOf(sim).map(({ path }) => path)).size).toBe(requested)
})

it('shows no control character of a client, in JSON or to people', async () => {
  using folder = temporaryFolder(APP)
  for (const format of ['json', 'pretty']) {
    const sim = await start(folder.path, 'run', 'app.yaml', '--log-level', 'info', '--log-format', format)
    const client = http2.connect(sim.url)
    const request = client.request({ ':path': '/a\u009b31m', 'x-request-id': '\u009b2J' })
    await once(request.resume(), 'end')
    client.close()
    await sim.stop()
    expect(sim.stderr()).toContain('31m')
    expect(sim.stderr()).not.toMatch(/[^\n\x20-\x7e]/)
  }
})

it('says nothing with --log-format none, and only what goes wrong with --log-level warn', async () => {
  const args = ['proxy', '--upstream', 'http://127.0.0.1:1']
  const [none, warn] = await Promise.all([
    start(process.cwd(), ...args, '--log-format', 'none'),
    start(process.cwd(), ...args, '--log-level', 'warn'),
  ])
  for (const sim of [none, warn]) await fetch(`${sim.url}/x`)
  await Promise.all([none.stop(), warn.stop()])
  expect(linesOf(none)).toEqual([])
  expect(linesOf(warn)).toMatchObject([{ level: 'warn' }])
})
