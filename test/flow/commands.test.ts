import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSim, startSim } from './sim-process.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../dist/examples')
const SHOP = join(EXAMPLES, 'shop.js')

describe('a command that cannot do what was asked', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sim-commands-'))
    await writeFile(join(folder, 'empty.mjs'), 'export const nothing = 1\n')
    await writeFile(join(folder, 'broken.ts'), 'export const api = {\n')
    await writeFile(join(folder, 'throws.mjs'), 'throw new Error("no database here")\n')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.for([
    [['run', 'nowhere.ts'], 1, /^Module 'nowhere\.ts' not found/],
    [['run', 'empty.mjs'], 1, /^No SimAPI found in module 'empty\.mjs'/],
    [['run', 'empty.mjs:api'], 1, /^Attribute 'api' not found in module 'empty\.mjs', which exports nothing/],
    [['run', 'empty.mjs:nothing'], 1, /^'empty\.mjs:nothing' must be a SimAPI or a Fastify app/],
    [['run', ':api'], 1, /must both be non-empty/],
    [['run', 'broken.ts'], 1, /^Module 'broken\.ts' could not be loaded/],
    [['run', 'throws.mjs'], 1, /^Module 'throws\.mjs' could not be loaded: no database here/],
    [['proxy', '--upstream', '127.0.0.1:3000'], 2, /^The upstream must be a URL such as http/],
    [['proxy', '--mode', 'replay'], 2, /^--mode replay needs a recording to read: --recording <dir>/],
    [['proxy', '--mode', 'replay', '--recording', 'x'], 1, /^Cannot read x\/exchanges\.ndjson: /],
    [['proxy', '--config', 'none.yaml'], 1, /^none\.yaml: there is no such file/],
    [
      ['proxy', '--upstream', 'http://127.0.0.1:1', '--error-rate', '2'],
      2,
      /^--error-rate must be a number from 0 to 1/,
    ],
    [
      ['proxy', '--upstream', 'http://127.0.0.1:1', '--error-codes', '200'],
      2,
      /^--error-codes must be statuses/,
    ],
    [['run', SHOP, '--port', 'http'], 2, /^--port must be a whole number/],
    [['run', SHOP, '--prot', '1'], 2, /Unknown argument/],
    [['run'], 2, /Not enough non-option arguments/],
    [['launch'], 2, /Unknown (command|argument)/],
    [[], 2, /Name a command/],
  ] as const)('sim %j exits with %i and says why', async ([args, code, message]) => {
    const result = await runSim(args, folder)
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/^\s+at /m)
    expect([result.code, result.stdout]).toEqual([code, ''])
  })

  it('names the port that is in use', async () => {
    const taken = createServer()
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const { port } = taken.address() as AddressInfo
    const result = await runSim(['run', SHOP, '--port', String(port)])
    taken.close()
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(`Cannot listen on 127.0.0.1:${port}: the port is in use`)
  })

  it('says so when the recording directory cannot be made', async () => {
    const directory = join(folder, 'empty.mjs', 'recording')
    const result = await runSim([
      'proxy',
      '--upstream',
      'http://127.0.0.1:1',
      '--record',
      directory,
      '--port',
      '0',
    ])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(directory)
    expect(result.stderr).not.toMatch(/^\s+at /m)
  })
})

describe('a server', () => {
  it.for(['SIGINT', 'SIGTERM'] as const)('drains and exits 0 on %s', async (signal) => {
    const sim = await startSim(['run', SHOP])
    const answer = fetch(`${sim.url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"product":"Teapot","quantity":2}',
    })
    // The order is held for 30 ms or more; the signal comes while it waits.
    await fetch(`${sim.url}/users`)
    const stopped = sim.stop(signal)
    expect((await answer).status).toBe(200)
    expect(await stopped).toBe(0)
  })

  it('prints a drawn seed that repeats its run', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'app.mjs')
    const index = resolve(import.meta.dirname, '../../dist/src/index.js')
    await writeFile(
      file,
      `import { SimAPI } from ${JSON.stringify(index)}\nexport const api = new SimAPI().get('/x', { output: { type: 'integer' } })\n`,
    )
    const first = await startSim(['run', file])
    const body = await (await fetch(`${first.url}/x`)).text()
    await first.stop()
    const [, seed = ''] = /^seed (\d+)/m.exec(first.stderr()) ?? []
    const second = await startSim(['run', file, '--seed', seed])
    expect(await (await fetch(`${second.url}/x`)).text()).toBe(body)
    await second.stop()
  })

  it('answers 502 with a named error when the upstream is down', async () => {
    const sim = await startSim(['proxy', '--upstream', 'http://127.0.0.1:1'])
    const response = await fetch(`${sim.url}/anything`)
    expect([response.status, await response.json()]).toEqual([
      502,
      {
        detail: 'No answer from http://127.0.0.1:1. Is it running, and is the host spelled right?',
        error: 'UpstreamUnreachable',
        code: 'SIM_UPSTREAM_UNREACHABLE',
      },
    ])
    await sim.stop()
  })

  it('answers 404 without an upstream, 405 with Allow for another method, and 422 for malformed input', async () => {
    const sim = await startSim(['run', SHOP])
    const post = (body: string, type = 'application/json') =>
      fetch(`${sim.url}/orders`, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await fetch(`${sim.url}/nowhere`)).status).toBe(404)
    const wrong = await fetch(`${sim.url}/users`, { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const malformed = [
      await fetch(`${sim.url}/users?start_date=yesterday`),
      await post('{"product":'),
      await post('{"product":"","quantity":"two"}'),
      await post('[]'),
      await post('', 'application/json'),
      await post('product=Teapot', 'application/x-www-form-urlencoded'),
      await post('{"__proto__":{"quantity":1},"product":"Teapot"}'),
    ]
    for (const response of malformed) {
      const { detail } = (await response.json()) as {
        detail: { type: string; loc: unknown[]; msg: string }[]
      }
      expect([response.status, detail[0]?.loc[0]]).toEqual([422, expect.stringMatching(/^(query|body)$/)])
    }
    await sim.stop()
  })

  it('runs a TypeScript module as it is', async () => {
    const sim = await startSim(['run', resolve(import.meta.dirname, '../../examples/shop.ts')])
    const users = (await (await fetch(`${sim.url}/users?name=Grace`)).json()) as { name: string }[]
    expect(users.map(({ name }) => name)).toEqual(['Grace', 'Grace', 'Grace'])
    await sim.stop()
  })
})

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'sim-commands-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
