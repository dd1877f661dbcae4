import type { FastifyInstance } from 'fastify'
import { createHost } from '../http/fastify-host.ts'
import { addCatchAll } from '../http/fastify-transport.ts'
import { SILENT } from '../http/log.ts'
import type { Transport } from '../http/transport.ts'
import type { MountedCall } from '../modes/adapter-mounts.ts'
import { answerByAdapter } from '../modes/answer-by-adapter.ts'
import { errorResponse } from '../pipeline/error-response.ts'
import { Exchange } from '../pipeline/exchange.ts'
import type { Answer } from './handler.ts'

/** An adapter as a Fastify instance, ready to listen or to inject requests. */
export function createWebApp(adapter: MountedCall['adapter']): FastifyInstance {
  const { app, userHooks } = createHost({})
  const toResponse = (error: Error): ReturnType<typeof errorResponse> => errorResponse(error, SILENT)
  const handle = (transport: Transport): void => {
    respond(adapter, transport).catch((error: Error) => {
      transport.fail(error, toResponse(error), [])
    })
  }
  app.register(async (child) =>
    addCatchAll(child, { handle, authenticate: () => undefined, userHooks, middleware: [], toResponse }),
  )
  return app
}

async function respond(adapter: MountedCall['adapter'], transport: Transport): Promise<void> {
  const exchange = new Exchange(transport)
  const response = await answerByAdapter({ adapter, url: exchange.url }, exchange)
  transport.send(response, exchange.responseHeaders)
}

const ORIGIN = 'http://localhost'

// Statuses whose answers have no body (Fetch standard, "null body status").
const NULL_BODY = new Set([101, 204, 205, 304])

/** A `fetch` that calls an adapter in process. The origin of a URL does not matter; a path may stand alone. */
export function createFetch(answer: Answer): typeof fetch {
  return async (input, init) => {
    const target = typeof input === 'string' ? new URL(input, ORIGIN) : input
    const request = new Request(target, withDuplex(init))
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const answering = answer({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: Buffer.from(await request.arrayBuffer()),
      signal: request.signal,
    })
    const { status, headers, body } = await untilAborted(request.signal, answering)
    const content =
      NULL_BODY.has(status) || body.length === 0
        ? null
        : typeof body === 'string'
          ? body
          : new Uint8Array(body)
    const response = new Response(content, { status, headers })
    return Object.defineProperty(response, 'url', { value: request.url })
  }
}

async function untilAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  return Promise.race([value, aborted])
}

// A stream as body needs the member that says so, which callers forget.
function withDuplex(init: RequestInit | undefined): RequestInit {
  return { ...init, ...(init?.body !== undefined && init.body !== null && { duplex: 'half' as const }) }
}
