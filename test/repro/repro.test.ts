import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, runRepro, SimAPI } from '../../src/index.ts'
import { runSim, startSim, type SimServer } from '../flow/sim-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { elsewhere, makeFolder, runScript } from './folders.ts'
import { BAKERY, some, walk, type Walked } from './walk.ts'

const TOKEN = 'letmein-8f2a'
const SEED = 19

let server: SimServer
let walked: readonly Walked[]
beforeAll(async () => {
  const bakery = join(import.meta.dirname, 'bakery.yaml')
  server = await startSim(['run', bakery, '--stateful', '--seed', '7'])
  walked = await walk(server.url, BAKERY, SEED, 60)
})
afterAll(() => server.stop())

describe('the folder of a request', () => {
  it('gives the same bytes for requests drawn from a walk over a stateful description', async () => {
    const directory = elsewhere()
    const results = []
    for (const each of some(walked, SEED, 8)) {
      const folder = join(directory, `repro-${each.id}`)
      expect(await makeFolder(server.url, each, folder)).toBeUndefined()
      const { status, body, same } = await runRepro(folder)
      results.push([each.request, status, same && body.equals(each.body)])
    }
    const chosen = some(walked, SEED, 8)
    expect(results).toEqual(chosen.map(({ request, status }) => [request, status, true]))
    expect(new Set(chosen.map(({ request }) => request.split(' ')[0])).size).toBeGreaterThan(3)
  })

  it('is written by a command, runs elsewhere by its script, and says where it differs', async () => {
    const directory = elsewhere()
    const { id, body } = walked.find(({ session, status }) => session === 'two' && status === 201) as Walked
    const made = await runSim(['repro', String(id), '--url', server.url, '--session', 'two'], directory)
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain(`repro-${id}: 5 files. Run it: node repro-${id}/repro.mjs`)
    const ran = await runScript(join(directory, `repro-${id}`))
    expect([ran.code, ran.stdout.equals(body)]).toEqual([0, true])

    const again = await runSim(['repro', String(id), '--url', server.url], directory)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') })
    writeFileSync(
      join(directory, `repro-${id}/app/test/repro/bakery.yaml`),
      'openapi: 3.1.0\ninfo: {}\npaths: {}\n',
    )
    const broken = await runSim(['repro', `repro-${id}`], directory)
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('NOT the same as then')])
  })
})

describe('what a folder is made of', () => {
  it('needs no file where the command ran, and a short body of bytes is in it as it came', async () => {
    using app = temporaryFolder({
      'photos.yaml': `openapi: 3.1.0
info: { title: Photos, version: '1' }
paths:
  /photos:
    post:
      requestBody: { required: true, content: { image/png: { schema: { type: string, format: binary } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: integer } } } } } }
`,
    })
    using empty = temporaryFolder()
    const { url, stop } = await startSim(['run', join(app.path, 'photos.yaml')], empty.path)
    const body = Uint8Array.of(0x89, 0x50, 0, 0xff)
    const response = await fetch(`${url}/photos`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body,
    })
    const sent = {
      id: 1,
      session: '',
      request: '',
      status: 201,
      body: Buffer.from(await response.arrayBuffer()),
    }
    const folder = join(elsewhere(), 'repro-1')
    const refused = await makeFolder(url, sent, folder)
    await stop()
    expect([response.status, refused]).toEqual([201, undefined])
    const ran = await runScript(folder)
    expect([ran.code, ran.stdout.equals(sent.body)]).toEqual([0, true])
    const { request } = JSON.parse(readFileSync(join(folder, 'repro.json'), 'utf8'))
    expect(Buffer.from(request.body.base64, 'base64')).toEqual(Buffer.from(body))
  })
})

describe('a folder that cannot be made', () => {
  it('is refused with the reason: no gateway, no such request, an app without files', async () => {
    const url = 'http://127.0.0.1:1'
    expect((await runSim(['repro', '1', '--url', url])).stderr).toContain(`No gateway answers at ${url}`)
    expect((await runSim(['repro', 'x'])).code).toBe(2)
    using folder = temporaryFolder({ 'other.json': '{}' })
    for (const [file, reason] of [
      ['none.json', 'could not be read'],
      ['other.json', 'has no folder of a request'],
    ] as const)
      expect(await runSim(['repro', file], folder.path)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(reason),
      })
    const missing = await runSim(['repro', '9999', '--url', server.url])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('Request 9999 is not in the journal'),
    ])
    const app = new SimAPI({ seed: 1 }).get('/a', { output: { const: 1 } }).asWebApp()
    await app.inject('/a')
    const own = await app.inject('/__sim/requests/1/repro')
    expect([own.statusCode, own.json().detail]).toEqual([409, expect.stringContaining('made in code')])
    await app.close()
  })
})

describe('secrets', () => {
  it('are in no folder: who was let in is let in without them, and stored ones are hidden', async () => {
    using temporary = temporaryFolder()
    temporary.write(
      'keys.yaml',
      `models:
  Key: { type: object, required: [id, password], properties: { id: { type: integer }, password: { type: string } } }
options: { stateful: true }
routes:
  POST /keys: { input: { type: object, properties: { password: { type: string } } }, output: { $ref: '#/models/Key' }, keeps_sent: true }
  GET /keys: { output: { list: { $ref: '#/models/Key' } } }
`,
    )
    const { loadApi } = await import('../../src/loaders/load-target.ts')
    const { sourceOf } = await import('../../src/loaders/source-of.ts')
    const loaded = await loadApi('keys.yaml', 'served', temporary.path)
    const options = { ...loaded.api.gatewayOptions(), defaults: { bearerTokens: [TOKEN] } }
    const target = join(temporary.path, 'keys.yaml')
    const source = sourceOf([loaded], { targets: [target], load: {}, isJoined: false, options })
    const app = createGateway({ ...options, source: { ...source, directory: temporary.path } })
    const headers = { authorization: `Bearer ${TOKEN}` }
    await app.inject({ method: 'POST', url: '/keys', headers, payload: { password: 'hunter2-horse' } })
    const listed = await app.inject({ url: '/keys', headers })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const folder = join(temporary.path, 'out')
    const request = { id: 2, session: '', request: '', status: 200, body: listed.rawPayload }
    expect(await makeFolder(url, request, folder)).toBeUndefined()
    const { files, notes } = (await app.inject('/__sim/requests/2/repro')).json()
    const texts = JSON.stringify({ ...files, 'app/keys.yaml': '' })
    expect([texts.includes(TOKEN), texts.includes('hunter2'), listed.body.includes('hunter2')]).toEqual([
      ...[false, false, true],
    ])
    expect(notes).toEqual([expect.stringContaining('(2 hidden), and other bytes were sent')])
    const summary = expect.stringContaining('(2 hidden); other bytes were sent')
    expect(await runRepro(folder)).toMatchObject({ status: 200, same: true, summary })
    const torn = { ...headers, 'content-type': 'application/json' }
    await app.inject({ method: 'POST', url: '/keys', headers: torn, payload: '{"password":"hunter2-horse",' })
    const [{ id }] = (await app.inject('/__sim/requests?method=POST')).json()
    const refused = await app.inject(`/__sim/requests/${id}/repro`)
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      expect.stringContaining('looked into for secrets'),
    ])
    expect(refused.body).not.toContain('hunter2')
    await app.close()
  })
})
