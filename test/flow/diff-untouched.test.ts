import { createServer, request as ask, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { createLogger } from '../pipeline/logger.ts'

const model = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT = Buffer.from('{"id": "seven" , "more":[1,2]}')

async function gatewayTo(answer: RequestListener): Promise<{ url: string; upstream: string }> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const engine = new SimAPI({ seed: 1 }).get('/users', { output: model }).engine()
  const app = createGateway({ engine, upstream, modes: { mode: 'diff' }, logger: createLogger([]) })
  onTestFinished(async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), upstream }
}

async function get(url: string, method = 'GET'): Promise<IncomingMessage> {
  const sent = ask(url, { method, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

it.for<[string, RequestListener, string?]>([
  ['JSON as it was written', (_, answer) => answer.writeHead(200, JSON_TYPE).end(TEXT)],
  [
    'gzip',
    (_, answer) => answer.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(TEXT)),
  ],
  [
    'br',
    (_, answer) =>
      answer.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br' }).end(brotliCompressSync(TEXT)),
  ],
  [
    'a broken coding',
    (_, answer) => answer.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('no'),
  ],
  ['no JSON', (_, answer) => answer.writeHead(200, JSON_TYPE).end('{"id":')],
  ['5 MiB', (_, answer) => answer.writeHead(200, JSON_TYPE).end(Buffer.alloc(5 * 1024 * 1024, ' '))],
  ['bytes', (_, answer) => answer.writeHead(200).end(Buffer.from([0, 255, 128]))],
  ['nothing', (_, answer) => answer.writeHead(204).end()],
  ['a head', (_, answer) => answer.writeHead(200, { ...JSON_TYPE, 'content-length': '7' }).end(), 'HEAD'],
  [
    'trailers',
    (_, answer) => answer.writeHead(200, { ...JSON_TYPE, trailer: 'x-sum' }).addTrailers({ 'x-sum': '1' }),
  ],
])('mode diff leaves an answer as it is: %s', async ([name, respond, method]) => {
  const { url, upstream } = await gatewayTo((request, answer) => {
    respond(request, answer)
    if (name === 'trailers') answer.end('{}')
  })
  const direct = await get(`${upstream}/users`, method)
  const through = await get(`${url}/users`, method)
  const [wanted, body] = [await buffer(direct), await buffer(through)]
  expect(body.equals(wanted)).toBe(true)
  expect([through.statusCode, through.trailers]).toEqual([direct.statusCode, direct.trailers])
  for (const header of ['content-type', 'content-encoding', 'content-length'])
    expect([header, through.headers[header]]).toEqual([header, direct.headers[header]])
})

it('mode diff passes what comes on at once', async () => {
  let end = (): void => undefined
  const { url } = await gatewayTo((_request, answer) => {
    answer.writeHead(200, JSON_TYPE).write('{"id":')
    end = () => answer.end('7}')
  })
  const answer = await get(`${url}/users`)
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toBe('{"id":')
  end()
  expect((await buffer(answer)).toString()).toBe('7}')
  const report = await (await fetch(`${url}/__sim/drift`)).json()
  expect(report).toMatchObject({ exchanges: 1, drifts: 0 })
})
