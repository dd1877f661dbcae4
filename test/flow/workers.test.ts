import { execFile } from 'node:child_process'
import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { ProxyAgent, request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { openFolder, spawnSim, startUpstream, type Listening } from './kit.ts'
import { runSim, type SimServer } from './sim-process.ts'

const run = promisify(execFile)

const ROUTES = `
models:
  User:
    type: object
    properties:
      id: { type: string, format: uuid }
      name: { type: string }
    required: [id, name]
routes:
  GET /users: { output: { list: { $ref: '#/models/User' } } }
  GET /users/{id}: { output: { $ref: '#/models/User' } }
`

const directory = openFolder({ 'app.yaml': ROUTES }).path
let upstream: Listening<Server>
beforeAll(async () => {
  upstream = await startUpstream((request, answer) => {
    const end = (): void => void answer.end(`${request.method} ${request.url}`)
    if (request.url === '/slow') setTimeout(end, 300)
    else end()
  })
})

const start = (...args: string[]): Promise<SimServer> => spawnSim(args, directory)

async function workersOf({ process: { pid } }: SimServer): Promise<number[]> {
  // It ends with 1 where there is none.
  const listed = await run('ps', ['-o', 'pid=,args=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }))
  return listed.stdout
    .split('\n')
    .filter((line) => line.includes('main.js'))
    .map((line) => Number.parseInt(line, 10))
}

/** An answer over a connection of its own, so that any worker may give it. */
async function ask(url: string): Promise<string> {
  const { body, statusCode } = await request(url, { headers: { connection: 'close' } })
  return `${statusCode} ${await body.text()}`
}

describe('sim run --workers', () => {
  it('draws one seed for all, says it once, and gives the content that one process gives with it', async () => {
    const server = await start('run', 'app.yaml', '--workers', '3')
    await server.prints(/seed \d+/)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(`${server.url}/users/1`)))
    expect(new Set(answers).size).toBe(1)
    const seeds = await Promise.all(Array.from({ length: 6 }, () => ask(`${server.url}/__sim/health`)))
    const [, seed] = /seed (\d+)/.exec(server.stderr()) ?? []
    for (const health of seeds) expect(health).toContain(`"seed":${seed}`)
    expect(server.stderr().match(/seed/g)).toHaveLength(2)
    const again = await start('run', 'app.yaml', '--seed', seed ?? '')
    expect(await ask(`${again.url}/users/1`)).toBe(answers[0])
    const paths = ['/users', ...Array.from({ length: 6 }, (_, id) => `/users/${id}`)]
    for (const path of paths) expect(await ask(server.url + path)).toBe(await ask(again.url + path))
  })

  it('adds up what all workers measured, whichever answers', async () => {
    const server = await start('run', 'app.yaml', '--workers', '2')
    for (let i = 0; i < 20; i++) await ask(`${server.url}/users/${i}`)
    for (let i = 0; i < 4; i++) {
      const text = await ask(`${server.url}/__sim/metrics`)
      expect(text).toMatch(
        /sim_requests_total\{route="GET \/users\/\{id\}",mode="simulate",status="200"\} 20\n/,
      )
    }
    expect(await ask(`${server.url}/__sim/routes`)).toContain('/users/{id}')
    const refused = await ask(`${server.url}/__sim/requests`)
    expect(refused).toMatch(/^403 .*Serve without --workers/)
  })

  it('replaces a worker that ends, and says so', async () => {
    const server = await start('run', 'app.yaml', '--workers', '2', '--seed', '3')
    const before = await ask(`${server.url}/users/1`)
    const [first] = await workersOf(server)
    process.kill(first as number, 'SIGKILL')
    await server.prints(/worker \d ended \(SIGKILL\): another takes its place/)
    await expect.poll(async () => (await workersOf(server)).length).toBe(2)
    for (let i = 0; i < 6; i++) expect(await ask(`${server.url}/users/1`)).toBe(before)
    expect(await server.stop()).toBe(0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('answers open requests on %s, and ends with 0', async (signal) => {
    const server = await start('run', 'app.yaml', '--upstream', upstream.url, '--workers', '2')
    const workers = await workersOf(server)
    expect(workers).toHaveLength(2)
    const slow = ask(`${server.url}/slow`)
    await new Promise<void>((resolve) => void upstream.server.once('request', () => resolve()))
    expect(await server.stop(signal)).toBe(0)
    expect(await slow).toBe('200 GET /slow')
    expect(await workersOf(server)).toEqual([])
  })

  it('ends with what is wrong where the port is taken', async () => {
    const server = await start('run', 'app.yaml')
    const { port } = new URL(server.url)
    const { code, stderr } = await runSim(['run', 'app.yaml', '--workers', '2', '--port', port], directory)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `File of routes, 2 routes\nCannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port, or --port 0 for a free one\n`,
    )
  })
})

describe('sim proxy --workers', () => {
  it('forwards by all workers', async () => {
    const server = await start('proxy', '--upstream', upstream.url, '--workers', '2')
    for (let i = 0; i < 6; i++) expect(await ask(`${server.url}/any/${i}`)).toBe(`200 GET /any/${i}`)
    expect(await ask(`${server.url}/__sim/metrics`)).toMatch(/mode="simulate",status="200"\} 6\n/)
    const proxied = new ProxyAgent(server.url)
    const { body } = await request(`${upstream.url}/by-proxy`, { dispatcher: proxied })
    expect(await body.text()).toBe('GET /by-proxy')
    await proxied.close()
  })

  it('answers the routes of several apps, each from the seed that was drawn for it', async () => {
    const args = ['proxy', '--routes', 'app.yaml', '--upstream', upstream.url, '--workers', '2']
    const server = await start(...args)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(`${server.url}/users/1`)))
    expect(new Set(answers).size).toBe(1)
    expect(await ask(`${server.url}/other`)).toBe('200 GET /other')
  })
})

describe('--workers', () => {
  const proxy = ['proxy', '--upstream', 'http://127.0.0.1:1']
  const refusals: readonly (readonly [string, readonly string[]])[] = [
    ['stateful routes keep their items', ['run', 'app.yaml', '--stateful']],
    ['--watch keeps', ['run', 'app.yaml', '--watch']],
    ['--watch keeps', ['proxy', '--routes', 'app.yaml', '--watch']],
    ['the error rate counts', [...proxy, '--error-rate', '0.5']],
    ['the jitter counts', [...proxy, '--jitter-ms', '5']],
    ['the rate limit counts', [...proxy, '--rate-limit', '5']],
    ['chaos counts', [...proxy, '--chaos', 'flaky']],
    ['--record writes', [...proxy, '--record', 'saved']],
    ["mode 'spy' counts", [...proxy, '--mode', 'spy', '--recording', 'saved']],
  ]
  it.each(refusals)('is refused where %s', async (reason, args) => {
    const { code, stdout, stderr } = await runSim([...args, '--workers', '2', '--port', '0'], directory)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`--workers serves what needs nothing in common, and this does:\n- ${reason}`)
  })

  it('names all routes that are in the way', async () => {
    const { path } = openFolder({
      'counting.yaml': `routes:
  GET /limited: { rate_limit: 5 }
  GET /failing: { error_rate: 0.5 }
  GET /steps: { scenario: [{ status: 503 }, { status: 200 }] }
`,
    })
    const { stderr } = await runSim(['run', 'counting.yaml', '--workers', '2'], path)
    for (const wanted of [
      'rate limit of GET /limited',
      'error rate of GET /failing',
      'scenario of GET /steps',
    ])
      expect(stderr).toContain(wanted)
  })
})
