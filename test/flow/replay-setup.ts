import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { request, type Dispatcher } from 'undici'
import { afterEach } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void
export type Ask = readonly [url: string, options?: Parameters<typeof request>[1]]

export interface Seen {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: Buffer
  readonly trailers: Record<string, string>
}

const servers: Server[] = []
const apps: FastifyInstance[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
  for (const server of servers.splice(0)) stop(server)
})

/** Serves until the test ends, or the server is stopped. */
export async function serve(handler: Handler): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((incoming, response) => {
    void buffer(incoming).then((body) => handler(incoming, response, body))
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(server) }
}

export interface Started {
  readonly url: string
  readonly app: FastifyInstance
  readonly logged: readonly Logged[]
}

/** Starts a gateway until the test ends, or it is closed. */
export async function start(options: Partial<GatewayOptions>): Promise<Started> {
  const logged: Logged[] = []
  const engine = new SimAPI({ seed: 1 }).engine()
  const app = createGateway({ engine, logger: createLogger(logged), ...options })
  apps.push(app)
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), app, logged }
}

export async function ask(base: string, [url, options]: Ask): Promise<Seen> {
  const { statusCode: status, headers, body, trailers } = await request(`${base}${url}`, options)
  return { status, headers, body: Buffer.from(await body.arrayBuffer()), trailers }
}

function stop(server: Server): void {
  server.close()
  server.closeAllConnections()
}
