import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { listen, send, startGateway, type Served } from '../flow/kit.ts'
import { collect, temporaryDirectory } from '../recording/samples.ts'
import type { GatewayOptions } from '../../src/gateway.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

type Answer = (socket: Socket, countOnConnection: number) => void

/** A gateway to a server that answers each request so, and the methods that reached that. */
async function inFrontOf(
  answer: Answer,
  options: Partial<GatewayOptions> = {},
): Promise<Served & { readonly reached: string[] }> {
  const reached: string[] = []
  const server = createServer((socket) => {
    let count = 0
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      reached.push(chunk.toString().split(' ')[0] as string)
      answer(socket, ++count)
    })
  })
  const { url } = await listen(server)
  return { reached, ...(await startGateway({ upstream: url, ...options })) }
}

const closing: Answer = (socket, count) => void (count === 1 ? socket.write(OK) : socket.destroy())
const resetting: Answer = (socket, count) => void (count === 1 ? socket.write(OK) : socket.resetAndDestroy())

describe('a request on a connection that was used before and ends without an answer', () => {
  it.for([closing, resetting])('is sent once more where it is safe', async (answer) => {
    const { url, reached } = await inFrontOf(answer)
    for (const method of ['GET', 'GET', 'OPTIONS', 'OPTIONS'])
      expect([method, (await send(method, url)).status]).toEqual([method, 200])
    expect(reached).toEqual(['GET', 'GET', 'GET', 'OPTIONS', 'OPTIONS', 'OPTIONS'])
  })

  it.for(['POST', 'PUT', 'DELETE', 'PATCH'])('is not where it is a %s', async (method) => {
    const { url, reached } = await inFrontOf(closing)
    expect((await send('GET', url)).status).toBe(200)
    const { status, body } = await send(method, url, method === 'DELETE' ? undefined : 'x')
    expect([status, body.code]).toEqual([502, 'SIM_UPSTREAM_RESET'])
    expect(reached).toEqual(['GET', method])
  })

  it('is recorded once', async () => {
    const record = await temporaryDirectory()
    const { app, url } = await inFrontOf(closing, { record })
    for (let at = 0; at < 2; at++) expect((await send('GET', url)).status).toBe(200)
    await app.close()
    const exchanges = await collect(readExchanges(record))
    expect(exchanges.map(({ response }) => response.status)).toEqual([200, 200])
  })
})

it('sends nothing again on a new connection that ends without an answer', async () => {
  const { url, reached } = await inFrontOf((socket) => socket.destroy())
  expect((await send('GET', url)).body.code).toBe('SIM_UPSTREAM_RESET')
  expect(reached).toHaveLength(1)
})

it('passes over a 100 that nobody waits for', async () => {
  const hundred = 'HTTP/1.1 100 Continue\r\n\r\n'
  const { url } = await inFrontOf((socket) => void socket.write(`${hundred}${hundred}${OK}`))
  expect(await send('GET', url)).toMatchObject({ status: 200, text: 'ok' })
})
