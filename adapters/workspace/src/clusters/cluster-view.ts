import type { IdSource } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import type { Cluster } from './cluster.ts'
import type { NodeType } from './node-types.ts'

const LIVE = new Set(['RUNNING', 'RESIZING'])

/** How many workers a cluster has while it runs. */
export function workersOf(spec: Body): number {
  const autoscale = spec['autoscale'] as { readonly min_workers?: number } | undefined
  return autoscale?.min_workers ?? (spec['num_workers'] as number | undefined) ?? 0
}

/** What an event says of a cluster's size. */
export function sizeOf(spec: Body): Body {
  return spec['autoscale'] === undefined ? { num_workers: workersOf(spec) } : { autoscale: spec['autoscale'] }
}

/** A cluster as `list` shows it. */
export function summaryOf(cluster: Cluster, ids: IdSource, nodeTypes: readonly NodeType[]): Body {
  const {
    sequence: _sequence,
    events: _events,
    isPinned: _pinned,
    starts: _starts,
    resizeTo: _resizeTo,
    ...shown
  } = cluster
  const {
    lastActivity: _activity,
    lossOnTheWay: _loss,
    requested: _requested,
    at: _at,
    spec,
    ...fields
  } = shown
  return {
    ...spec,
    ...fields,
    default_tags: {
      Vendor: 'Databricks',
      Creator: cluster.creator_user_name,
      ClusterName: spec['cluster_name'],
      ClusterId: cluster.cluster_id,
    },
    ...(LIVE.has(cluster.state) && machinesOf(cluster, ids, nodeTypes)),
  }
}

/** A cluster as `get` shows it, with the specification that was requested. */
export function detailsOf(cluster: Cluster, ids: IdSource, nodeTypes: readonly NodeType[]): Body {
  return { ...summaryOf(cluster, ids, nodeTypes), spec: cluster.requested }
}

function machinesOf(cluster: Cluster, ids: IdSource, nodeTypes: readonly NodeType[]): Body {
  const count = workersOf(cluster.spec)
  const find = (field: string): NodeType | undefined =>
    nodeTypes.find(({ node_type_id }) => node_type_id === cluster.spec[field])
  const [driver, worker] = [find('driver_node_type_id'), find('node_type_id')]
  const total = (read: (type: NodeType) => number): number =>
    (driver ? read(driver) : 0) + count * (worker ? read(worker) : 0)
  return {
    driver: nodeOf(cluster, ids, 0),
    executors: Array.from({ length: count }, (_, index) => nodeOf(cluster, ids, index + 1)),
    jdbc_port: 10_000,
    cluster_cores: total((type) => type.num_cores),
    cluster_memory_mb: total((type) => type.memory_mb),
  }
}

function nodeOf({ cluster_id, starts, start_time }: Cluster, ids: IdSource, index: number): Body {
  const number = ids.number('node', cluster_id, starts, index)
  const address = `10.${number % 200}.${(number >> 8) & 127}.${(index % 250) + 1}`
  return {
    node_id: ids.hex(32, 'node', cluster_id, starts, index),
    instance_id: `i-${ids.hex(17, 'instance', cluster_id, starts, index)}`,
    private_ip: address,
    host_private_ip: address,
    public_dns: '',
    start_timestamp: start_time,
  }
}
