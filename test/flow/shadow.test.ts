import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'
import { send, serve, startUpstream, type Served } from './kit.ts'

const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const answers = (schema: object): object => ({
  200: { description: 'good', content: { 'application/json': { schema } } },
})
const operation = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] }
const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets/{id}': {
      ...operation,
      get: { responses: answers(PET) },
      put: { requestBody: { content: { 'application/json': { schema: PET } } }, responses: answers(PET) },
    },
  },
})

/** A gateway in mode `shadow`, before an upstream that answers so. */
async function shadowing(listener: RequestListener, options: Partial<GatewayOptions> = {}): Promise<Served> {
  const { url: upstream } = await startUpstream(listener)
  const { api } = await loadDescription(textFile('pets.json', DESCRIPTION), {
    defaults: {},
    options: { seed: 1 },
  })
  return serve(createGateway({ engine: api.engine(), upstream, modes: { mode: 'shadow' }, ...options }))
}

interface Drifts {
  readonly exchanges: number
  readonly skipped: number
  readonly routes: readonly { readonly route: string; readonly drifts: readonly Record<string, unknown>[] }[]
}

/** What was found once so many exchanges were compared. */
async function driftsOf(url: string, exchanges: number): Promise<Drifts> {
  return expect
    .poll(async () => (await send('GET', `${url}/__sim/drift`)).body as Drifts, {
      timeout: 10_000,
      interval: 10,
    })
    .toMatchObject({ exchanges })
    .then(async () => (await send('GET', `${url}/__sim/drift`)).body as Drifts)
}

const differences = ({ routes }: Drifts): unknown =>
  routes.flatMap(({ route, drifts }) =>
    drifts.map(({ change, pointer, exchanges }) => [route, change, pointer, exchanges]),
  )

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

it('keeps each difference in status, media type and shape once, and values where that is wanted', async () => {
  const kinds: Record<string, (response: ServerResponse) => void> = {
    '/pets/1': (response) => json(response, { id: 1, name: 7 }),
    '/pets/2': (response) => json(response, { detail: 'gone' }, 404),
    '/pets/3': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a pet'),
    '/pets/4': (response) => json(response, { id: -4, name: 'Rex' }),
  }
  const { url } = await shadowing((request, response) => kinds[request.url ?? '']?.(response), {
    shadow: { values: ['/id'] },
  })
  for (const path of ['/pets/1', '/pets/1', '/pets/2', '/pets/3', '/pets/4'])
    expect((await send('GET', url + path)).body).toMatchObject({
      id: expect.any(Number) as number,
      name: expect.any(String) as string,
    })
  expect(differences(await driftsOf(url, 5))).toEqual([
    ['GET /pets/{id}', 'type changed', '/name', 2],
    ['GET /pets/{id}', 'status changed', '', 1],
    ['GET /pets/{id}', 'content type changed', '/content-type', 1],
    ['GET /pets/{id}', 'value changed', '/id', 1],
  ])
})

it.for([
  { writes: false, sent: ['GET /pets/1'] },
  { writes: true, sent: ['PUT /pets/1 {"id":1,"name":"Rex"}', 'GET /pets/1'] },
])('sends writes on: $writes', async ({ writes, sent }) => {
  const got: string[] = []
  const { url } = await shadowing(
    (request, response) => {
      const note = (body: string): void => {
        got.push([request.method, request.url, body].filter(Boolean).join(' '))
        json(response, { id: 1, name: 'Rex' })
      }
      void bodyOf(request).then(note)
    },
    { shadow: { writes } },
  )
  expect((await send('PUT', `${url}/pets/1`, { id: 1, name: 'Rex' })).status).toBe(200)
  await driftsOf(url, writes ? 1 : 0)
  await send('GET', `${url}/pets/1`)
  await driftsOf(url, sent.length)
  expect(got).toEqual(sent)
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

it('answers at once while the upstream answers nothing, and counts what is dropped of a bounded queue', async () => {
  const held = new EventEmitter()
  held.setMaxListeners(0)
  const { app } = await shadowing((_request, response) => {
    void once(held, 'release').then(() => json(response, { id: 1, name: 'Rex' }))
  })
  // 32 are sent at a time, and 1000 wait.
  for (let number = 0; number < 1100; number++) {
    expect((await app.inject(`/pets/${number}`)).statusCode).toBe(200)
    await setImmediate()
  }
  expect((await app.inject('/__sim/drift')).json()).toMatchObject({ exchanges: 0, skipped: 1100 - 1000 - 32 })
  const { body } = await app.inject('/__sim/metrics')
  expect(body).toContain('sim_shadow_requests_total{outcome="dropped"} 68')
})
