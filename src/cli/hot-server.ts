import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Address, Listening } from './serve.ts'

/** A server whose app can be replaced while it listens. */
export interface HotServer extends Listening {
  /**
   * Answers whatever comes from now on by another app. The last one is closed once it has answered all it was asked.
   * @param begin called in between the last request to the one app and the first to the other
   */
  replace(app: FastifyInstance, begin?: () => void): Promise<void>
}

/** What an app listens to on a server of its own. */
const EVENTS = ['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation', 'clientError'] as const

/** As long as Fastify's own servers wait. */
const KEEP_ALIVE_MS = 72_000

/** A server for an app that may be replaced. Connections belong to the server, and stay. */
export async function createHotServer(first: FastifyInstance): Promise<HotServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 })
  let current: Generation | undefined
  const replace = async (app: FastifyInstance, begin?: () => void): Promise<void> => {
    await app.ready()
    begin?.()
    const last = current
    current = connect(server, app)
    last?.retire()
  }
  await replace(first)
  return {
    server,
    replace,
    listen: (address) => listen(server, address),
    async close() {
      const ended = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      await ended
      current?.retire()
    },
  }
}

interface Generation {
  /** Closes the app, after its last answer. */
  retire(): void
}

function connect(server: Server, app: FastifyInstance): Generation {
  let underWay = 0
  let isRetired = false
  const closeWhenDone = (): void => {
    // What an old version fails to close must not end the new one.
    if (isRetired && underWay === 0) app.close().catch(() => undefined)
  }
  const count = (_request: IncomingMessage, answer: ServerResponse | Socket): void => {
    underWay++
    answer.once('close', () => {
      underWay--
      closeWhenDone()
    })
  }
  for (const event of EVENTS) {
    server.removeAllListeners(event)
    const listeners = app.server.listeners(event) as ((...args: unknown[]) => void)[]
    // A server with a listener that does nothing would leave its client without an answer.
    if (listeners.length > 0 && event !== 'clientError') server.on(event, count)
    for (const listener of listeners)
      server.on(event, (...args: unknown[]) => listener.apply(app.server, args))
  }
  return {
    retire() {
      isRetired = true
      closeWhenDone()
    },
  }
}

async function listen(server: Server, { host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
