import { connect } from 'node:net'
import { createEngine } from '../../src/simulation/engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import type { Operation } from '../../src/engine/operation.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'
import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { operationOf } from '../openapi/serve/reading.ts'

/** A route of an operation. */
export function described(
  method: Method,
  path: string,
  given: Partial<Operation>,
  options: RouteOptions<Schema> = {},
): RouteDefinition {
  return { ...createRoute(method, path, options), operation: operationOf(given) }
}

export interface Served {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Serves routes on a socket; each answers with the input it read. */
export async function serveInput(
  routes: readonly RouteDefinition[],
  options: Partial<GatewayOptions> = {},
): Promise<Served> {
  const engine = createEngine({ routes, seed: 1 })
  const answer: Engine['answer'] = (_match, _call, input) => ({ status: 200, headers: {}, body: input })
  const app = createGateway({ engine: { ...engine, answer }, ...options })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, port: Number(new URL(url).port), close: () => app.close() }
}

/** Sends bytes as they are, and gives what came back until the server closed. */
export async function sendRaw(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  for (const chunk of chunks) socket.write(chunk)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += String(chunk)))
  // A server that refuses a request may close before all of it is sent.
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (answer += code === 'EPIPE' ? '' : code))
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}
