import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createPassedMarks } from './http/passed-on.ts'
import type { Mounts } from './modes/adapter-mounts.ts'
import { createWorldRoutes, type WorldRoutes } from './modes/worlds.ts'
import type { RedisConnection } from './state/redis/connection.ts'
import type { Ask } from './state/redis/scripts.ts'
import { createWorlds } from './state/redis/worlds.ts'
import { createPeers } from './upstream/peers.ts'
import type { UpstreamOptions } from './upstream/upstream.ts'

/** What the state of adapters is shared with. */
export interface OpenWorldsOptions {
  /** A connection of its own: snapshots are long. */
  readonly connection: RedisConnection
  /** What the keys of the gateways have in common, such as `sim:{shop}`. */
  readonly namespace: string
  readonly gateway: string
  /** Where other gateways reach this one. */
  readonly peer: () => Promise<string | undefined>
  /** How others are reached over TLS. */
  readonly reach?: UpstreamOptions | undefined
  /** How long a gateway that is no longer heard of keeps what it holds. Default: ten seconds. */
  readonly leaseMs?: number | undefined
}

/** Adapters whose state gateways share. */
export interface OpenWorlds {
  readonly routes: WorldRoutes
  /** Looks whether another gateway has passed a request on. */
  readonly readPassed: (request: IncomingMessage) => void
  /** Closes what others are reached by, and the connection; after the worlds were given up. */
  close(): Promise<void>
}

/** As many as tokens may have a session of their own in one process. */
const MAX_WORLDS = 256

/**
 * Has gateways share the state of adapters.
 * @throws OptionInvalid for an adapter that cannot be shared, StateUnavailable
 */
export async function openWorlds(options: OpenWorldsOptions, mounts: Mounts): Promise<OpenWorlds> {
  const { connection, namespace, gateway, peer, leaseMs, reach } = options
  const key = await agreedKey(connection, `${namespace}:peer-key`)
  const id = randomUUID()
  const marks = createPassedMarks(key, id)
  const worlds = createWorlds({ ask: connection, namespace, gateway, id, peer, leaseMs, max: MAX_WORLDS })
  const routes = createWorldRoutes(worlds, createPeers(marks, reach))
  mounts.share(routes, (token) => createHmac('sha256', key).update(token).digest('hex').slice(0, 32))
  return {
    routes,
    readPassed: (request) => marks.read(request),
    async close() {
      await routes.close()
      await connection.close()
    },
  }
}

// Whoever starts first draws it.
async function agreedKey(ask: Ask, name: string): Promise<Buffer> {
  await ask.command(['SET', name, randomBytes(32).toString('base64'), 'NX'])
  return Buffer.from(String(await ask.command(['GET', name])), 'base64')
}
