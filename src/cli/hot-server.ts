import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { closeIdleFromNow, trackConnections, serveHalfClosed } from '../http/connections.ts'
import { CROWDED, PROTOCOLS, distinguish } from '../http/first-bytes.ts'
import { headerTimeoutOf, MAX_HEADERS, serverOptions, type Limits } from '../http/limits.ts'
import { shareBesides, type Place } from '../http/listeners.ts'
import { RETIRED } from '../http/open-entries.ts'
import type { Listening } from './serve.ts'

/** A server whose app can be replaced while it listens. */
interface HotServer extends Listening {
  /**
   * Answers whatever comes from now on by another app. The last one is closed once it has answered all its requests.
   * @param begin called in between the last request to the one app and the first to the other
   */
  replace(app: FastifyInstance, begin?: () => void): Promise<void>
}

/** What an app listens to on a server of its own. */
const EVENTS = [
  ...(['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation', 'clientError'] as const),
  ...PROTOCOLS,
  CROWDED,
]

/** As long as Fastify's own servers wait. */
const KEEP_ALIVE_MS = 72_000

/** A server for an app that may be replaced. Connections belong to the server, and stay. */
export async function createHotServer(first: FastifyInstance, limits?: Limits): Promise<HotServer> {
  const server = createServer({ ...serverOptions(limits), keepAliveTimeout: KEEP_ALIVE_MS })
  server.maxHeadersCount = MAX_HEADERS
  distinguish(server, headerTimeoutOf(limits))
  serveHalfClosed(server)
  trackConnections(server)
  const open = new Set<FastifyInstance>()
  let current: Generation | undefined
  const replace = async (app: FastifyInstance, begin?: () => void): Promise<void> => {
    await app.ready()
    begin?.()
    const last = current
    current = connect(server, app, () => open.delete(app))
    open.add(app)
    last?.retire()
  }
  await replace(first)
  return {
    server,
    replace,
    listen: (place) => listen(server, place),
    async close() {
      const ended = new Promise((resolve) => server.close(resolve))
      closeIdleFromNow(server)
      // Only an app knows of the tunnels that lead through it, and ends them.
      await Promise.allSettled([...open].map((app) => app.close()))
      await ended
    },
  }
}

interface Generation {
  /** Closes the app, after its last answer. */
  retire(): void
}

function connect(server: Server, app: FastifyInstance, ended: () => void): Generation {
  standIn(server, app.server)
  let underWay = 0
  let isRetired = false
  const closeWhenDone = (): void => {
    // What an old version fails to close must not end the new one.
    if (isRetired && underWay === 0) app.close().then(ended, ended)
  }
  const count = (given: IncomingMessage | Duplex, answer?: ServerResponse | Duplex): void => {
    underWay++
    const last: Writable = answer ?? (given as Duplex)
    last.once('close', () => {
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
      app.server.emit(RETIRED)
      closeWhenDone()
    },
  }
}

// An app asks its own server where it listens, and hands it the connections that come out of tunnels.
function standIn(server: Server, own: Server): void {
  Object.defineProperty(own, 'listening', { get: () => server.listening })
  own.address = () => server.address()
  shareBesides(server, own)
  own.removeAllListeners('connection')
  own.on('connection', (socket) => server.emit('connection', socket))
}

async function listen(server: Server, place: Place): Promise<void> {
  await once(server.listen(place), 'listening')
}
