import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fetchFrom, listen, openFolder, openSim, post, send, spawnSim } from './kit.ts'
import { ROOT, runSim } from './sim-process.ts'

const SHOP = join(ROOT, 'dist/examples/shop.js')

describe('a command that cannot do its work', () => {
  const folder = openFolder({
    'empty.mjs': 'export const nothing = 1\n',
    'broken.ts': 'export const api = {\n',
    'unread.mjs': 'const a = 1\nexport const api = f({ a: g( })\n',
    'unread.cjs': 'const a = 1\nexports.api = f({ a: g( })\n',
    'throws.mjs': 'throw new Error("no database here")\n',
  }).path

  it.for([
    [['run', 'nowhere.ts'], 1, /^Module 'nowhere\.ts' not found/],
    [['run', 'empty.mjs'], 1, /^No SimAPI found in module 'empty\.mjs'/],
    [['run', 'empty.mjs:api'], 1, /^Attribute 'api' not found in module 'empty\.mjs', which exports nothing/],
    [['run', 'empty.mjs:nothing'], 1, /^'empty\.mjs:nothing' must be a SimAPI or a Fastify app/],
    [['run', ':api'], 1, /must both be non-empty/],
    [['run', 'broken.ts'], 1, /^Module 'broken\.ts' could not be loaded/],
    [['run', 'unread.mjs'], 1, /could not be loaded: unread\.mjs:2:30: Unexpected token '}'/],
    [['run', 'unread.cjs'], 1, /could not be loaded: unread\.cjs:2:25: Unexpected token '}'/],
    [
      ['run', 'throws.mjs'],
      1,
      /^Module 'throws\.mjs' could not be loaded: throws\.mjs:1:7: no database here/,
    ],
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
    const { port } = await listen(createServer())
    const result = await runSim(['run', SHOP, '--port', String(port)])
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(`Cannot listen on 127.0.0.1:${port}: the port is in use`)
  })

  it('says so when the recording directory cannot be made', async () => {
    const directory = join(folder, 'empty.mjs', 'recording')
    const args = ['--upstream', 'http://127.0.0.1:1', '--record', directory, '--port', '0']
    const result = await runSim(['proxy', ...args])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(directory)
    expect(result.stderr).not.toMatch(/^\s+at /m)
  })
})

describe('a server', () => {
  it.for(['SIGINT', 'SIGTERM'] as const)('drains and exits 0 on %s', async (signal) => {
    const sim = await spawnSim(['run', SHOP])
    const answer = post(`${sim.url}/orders`, { product: 'Teapot', quantity: 2 })
    // The order is held for 30 ms or more; the signal comes while it waits.
    await fetchFrom(`${sim.url}/users`)
    const stopped = sim.stop(signal)
    expect((await answer).status).toBe(200)
    expect(await stopped).toBe(0)
  })

  it('prints a drawn seed that repeats its run', async () => {
    const index = JSON.stringify(join(ROOT, 'dist/src/index.js'))
    const { path } = openFolder({
      'app.mjs': `import { SimAPI } from ${index}
export const api = new SimAPI().get('/x', { output: { type: 'integer' } })\n`,
    })
    const first = await openSim(['run', 'app.mjs'], path)
    const { text } = await fetchFrom(`${first.url}/x`)
    await first.stop()
    const [, seed = ''] = /^seed (\d+)/m.exec(first.stderr()) ?? []
    const second = await openSim(['run', 'app.mjs', '--seed', seed], path)
    expect((await fetchFrom(`${second.url}/x`)).text).toBe(text)
  })

  it('answers 502 with a named error when the upstream is down', async () => {
    const sim = await openSim(['proxy', '--upstream', 'http://127.0.0.1:1'])
    const { status, body } = await fetchFrom(`${sim.url}/anything`)
    expect([status, body]).toEqual([
      502,
      {
        detail: 'No answer from http://127.0.0.1:1. Is it running, and is the host spelled right?',
        error: 'UpstreamUnreachable',
        code: 'SIM_UPSTREAM_UNREACHABLE',
      },
    ])
  })

  it('answers 404 without an upstream, 405 with Allow for another method, and 422 for malformed input', async () => {
    const { url } = await openSim(['run', SHOP])
    expect((await fetchFrom(`${url}/nowhere`)).status).toBe(404)
    const wrong = await send('DELETE', `${url}/users`)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const order = (text: string, type = 'application/json') =>
      post(`${url}/orders`, text, { 'content-type': type })
    for (const { status, body } of [
      await fetchFrom(`${url}/users?start_date=yesterday`),
      await order('{"product":'),
      await order('{"product":"","quantity":"two"}'),
      await order('[]'),
      await order(''),
      await order('product=Teapot', 'application/x-www-form-urlencoded'),
      await order('{"__proto__":{"quantity":1},"product":"Teapot"}'),
    ])
      expect([status, body.detail[0]?.loc[0]]).toEqual([422, expect.stringMatching(/^(query|body)$/)])
  })

  it('runs a TypeScript module as it is', async () => {
    const { url } = await openSim(['run', join(ROOT, 'examples/shop.ts')])
    const users: { name: string }[] = (await fetchFrom(`${url}/users?name=Grace`)).body
    expect(users.map(({ name }) => name)).toEqual(['Grace', 'Grace', 'Grace'])
  })
})

const PATHS = Array.from({ length: 50 }, (_, index) => `/users?name=user-${index}`)

describe('content', () => {
  it('is the same bytes in two processes, under 50 concurrent requests in shuffled order', async () => {
    const [first, second] = await Promise.all([bodiesOf(PATHS, 42), bodiesOf(PATHS.toReversed(), 42)])
    expect(first.size).toBe(50)
    expect([...first].toSorted()).toEqual([...second].toSorted())
    expect(new Set(first.values()).size).toBe(50)
  })

  it('differs under another seed', async () => {
    const [first, second] = await Promise.all([bodiesOf(PATHS, 42), bodiesOf(PATHS, 43)])
    for (const path of PATHS) expect(first.get(path)).not.toBe(second.get(path))
  })
})

async function bodiesOf(paths: readonly string[], seed: number): Promise<ReadonlyMap<string, string>> {
  const { url } = await spawnSim(['run', SHOP, '--seed', String(seed)])
  const bodies = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const { bytes } = await fetchFrom(`${url}${path}`)
      return [path, createHash('sha256').update(bytes).digest('hex')]
    }),
  )
  return new Map(bodies)
}
