import type { FastifyInstance } from 'fastify'
import { PLUGINS } from '../../plugins/index.ts'
import { createHost } from '../http/fastify-host.ts'
import { addCatchAll } from '../http/fastify-transport.ts'
import { pairsOf } from '../http/headers.ts'
import { SILENT } from '../http/log.ts'
import type { MemoryRequest, MemoryResponse } from '../http/memory-transport.ts'
import { errorResponse, handle, handleInProcess, type Services } from '../pipeline/handle.ts'
import { createPlans } from '../pipeline/plan.ts'
import { createRecordedHeads } from '../state/journal-record.ts'
import type { AdapterAnswer, AdapterRequest } from './request.ts'

/** An adapter without a gateway. */
export interface Standalone {
  handle(request: AdapterRequest): Promise<AdapterAnswer>
  /** The adapter as a Fastify instance, ready to listen or to inject requests. */
  asWebApp(): FastifyInstance
  /** Calls the adapter in process; the origin of URLs does not matter, and paths may stand alone. */
  readonly fetch: typeof fetch
}

/** The gateway's pipeline with the routes of one adapter. */
export function createStandalone(own: Pick<Services, 'routeFor' | 'sessionOf'>): Standalone {
  const services: Services = {
    ...own,
    plans: createPlans(PLUGINS),
    count: () => undefined,
    heads: createRecordedHeads(),
    log: SILENT,
  }
  const send = handleInProcess.bind(undefined, services)
  return {
    async handle(request) {
      const { status, headers, body } = await send(request)
      return { status, headers: Object.fromEntries(new Headers(pairsOf(headers))), body }
    },
    asWebApp() {
      const { app, userHooks } = createHost({})
      app.register(async (child) =>
        addCatchAll(child, {
          handle: (transport) => handle(services, transport),
          ...{ authenticate: () => undefined, userHooks, middleware: [] },
          toResponse: (error) => errorResponse(error, SILENT),
        }),
      )
      return app
    },
    fetch: (input, init) => fetchBy(send, input, init),
  }
}

const ORIGIN = 'http://localhost'

// Statuses whose answers have no body (Fetch standard, "null body status").
const NULL_BODY = new Set([101, 204, 205, 304])

async function fetchBy(
  send: (request: MemoryRequest) => Promise<MemoryResponse>,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  // A stream as body needs the member that says so, which callers forget.
  const duplex = init?.body !== undefined && init.body !== null ? { duplex: 'half' as const } : {}
  const request = new Request(typeof input === 'string' ? new URL(input, ORIGIN) : input, {
    ...init,
    ...duplex,
  })
  const { method, signal } = request
  signal.throwIfAborted()
  const { pathname, search } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  try {
    const answer = await send({
      ...{ method, signal, body },
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
    })
    const isEmpty = NULL_BODY.has(answer.status) || answer.body.length === 0
    const response = new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: pairsOf(answer.headers) as [string, string][],
    })
    return Object.defineProperty(response, 'url', { value: request.url })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
