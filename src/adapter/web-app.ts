import type { FastifyInstance } from 'fastify'
import { addCatchAll, createHost } from '../http/fastify-host.ts'
import { SILENT } from '../http/log.ts'
import type { Transport } from '../http/transport.ts'
import type { MountedCall } from '../modes/adapter-mounts.ts'
import { answerByAdapter } from '../modes/answer-by-adapter.ts'
import { errorResponse } from '../pipeline/error-response.ts'
import { Exchange } from '../pipeline/exchange.ts'

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
