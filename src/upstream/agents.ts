import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import type { Agent, buildConnector } from 'undici'
import type { Connect } from './connector.ts'
import { addressOf } from './address.ts'
import { holdEnd } from './socket-reads.ts'
import { undici } from './undici.ts'

/** Connections to one server. */
export interface Pool {
  readonly origin: string
  /** Open connections. */
  readonly connected: number
  /** Requests that are under way. */
  readonly running: number
  /** Requests that wait for a connection. */
  readonly pending: number
}

/** Pools of connections. */
export interface Agents {
  /** The pool of all servers on a port whose names are resolved in this way. */
  of(lookup: LookupFunction | undefined, port: number): Agent
  /** What the connections do, by server. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

// An error has what undici's own have. Of a reset, undici would make an end, and of what came until then a whole body.
function sayWhatCame(socket: Socket): Socket {
  return socket.prependListener('error', (error: NodeJS.ErrnoException) =>
    Object.assign(error, {
      ...(error.code === 'ECONNRESET' && { code: 'UND_ERR_SOCKET' }),
      socket: { bytesRead: socket.bytesRead },
    }),
  )
}

/**
 * Pools for servers that the operator named, and, apart from them, for those that clients name.
 * @param bodyTimeoutMs 0 for no limit
 */
export function createAgents(connect: Connect, headersTimeoutMs: number, bodyTimeoutMs = 0): Agents {
  // A guarded lookup depends on the port alone, so the pools are as few as the ports.
  const agents = new Map<number, Agent>()
  const create = (lookup: LookupFunction | undefined): Agent =>
    new (undici().Agent)({
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      allowH2: true,
      connect: callbackify(({ protocol, hostname, port }: buildConnector.Options) => {
        // It takes the brackets off IPv6, without which a URL would not have its port.
        const authority = isIPv6(hostname) ? `[${hostname}]` : hostname
        return connect(addressOf(`${protocol}//${authority}:${port}`, lookup), true).then((socket) =>
          holdEnd(sayWhatCame(socket)),
        )
      }) as unknown as buildConnector.connector,
    })
  return {
    of(lookup, port) {
      const key = lookup === undefined ? 0 : port
      const agent = agents.get(key) ?? create(lookup)
      agents.set(key, agent)
      return agent
    },
    pools: () =>
      [...agents.values()].flatMap(({ stats }) =>
        Object.entries(stats).map(([origin, { connected, running, pending }]) => ({
          origin,
          connected: Number(connected),
          running,
          pending,
        })),
      ),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()))
    },
  }
}
