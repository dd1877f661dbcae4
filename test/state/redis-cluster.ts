import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { startRedis, type RedisServer } from './redis-server.ts'

/** How long a node may be silent before the others count it as down. */
const NODE_TIMEOUT_MS = 1000
const SLOTS = 16_384

/** A real cluster. */
export interface RedisCluster {
  /** As `--state` takes it. */
  readonly url: string
  readonly primaries: readonly RedisServer[]
  readonly replicas: readonly RedisServer[]
  /** Resolves once all nodes say that the cluster is whole, and replicas have what they need. */
  isWhole(): Promise<void>
  stop(): Promise<void>
}

/** Starts a cluster with as many slots on each primary. @param replicas of the first primary */
export async function startCluster(primaries = 3, replicas = 0): Promise<RedisCluster> {
  const nodes: RedisServer[] = []
  const buses: number[] = []
  for (let index = 0; index < primaries + replicas; index++) {
    const bus = await freePort()
    const args = [
      ...['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout'],
      ...[String(NODE_TIMEOUT_MS), '--repl-diskless-sync-delay', '0'],
    ]
    nodes.push(await startRedis({ aof: 'everysec', args }))
    buses.push(bus)
  }
  const [first] = nodes as [RedisServer]
  const edge = (index: number): number => Math.round((index * SLOTS) / primaries)
  for (const [index, node] of nodes.entries()) {
    const range = [edge(index), edge(index + 1) - 1].map(String)
    if (index < primaries) node.cli('CLUSTER', 'ADDSLOTSRANGE', ...range)
    node.cli('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    if (index > 0) first.cli('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(buses[index]))
  }
  const isWhole = async (): Promise<void> => {
    const last = performance.now() + 30_000
    while (!nodes.every((node) => knowsAll(node))) {
      if (performance.now() > last) throw new Error('The cluster is not whole after 30 s')
      await wait(50)
    }
  }
  const knowsAll = (node: RedisServer): boolean => {
    const info = node.cli('CLUSTER', 'INFO')
    return (
      info.includes('cluster_state:ok') &&
      info.includes(`cluster_known_nodes:${nodes.length}`) &&
      !/master_link_status:down|loading:1/.test(node.cli('INFO'))
    )
  }
  await isWhole()
  for (const node of nodes.slice(primaries)) node.cli('CLUSTER', 'REPLICATE', first.cli('CLUSTER', 'MYID'))
  await isWhole()
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    primaries: nodes.slice(0, primaries),
    replicas: nodes.slice(primaries),
    isWhole,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
