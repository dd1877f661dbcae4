import { Ordered } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { LibrariesState } from '../libraries/libraries-state.ts'
import type { ObjectSource, Restorable, Tools } from '../part.ts'
import { ClusterMachine, KINDS } from './cluster-machine.ts'
import { completeSpec } from './cluster-spec.ts'
import { detailsOf, sizeOf, summaryOf } from './cluster-view.ts'
import {
  type Cluster,
  type ClusterFailure,
  ClusterFailures,
  clusterIdOf,
  type GivenCluster,
  makeCluster,
  requestedBy,
  type TerminationReason,
} from './cluster.ts'
import { NODE_TYPES, type NodeType, SPARK_VERSIONS, type SparkVersion, ZONES } from './node-types.ts'

/** How many ended clusters of runs the service keeps. */
const MAX_ENDED_OF_JOBS = 30

/** What the clusters of a workspace are made with. */
export interface ClustersSetup {
  readonly tools: Tools
  readonly libraries: LibrariesState
  readonly cloud: string
  readonly failures?: readonly ClusterFailure[]
  readonly nodeTypes?: readonly NodeType[]
  readonly sparkVersions?: readonly SparkVersion[]
}

interface ClustersSnapshot {
  readonly clusters: readonly Cluster[]
  readonly sequence: number
  readonly failures: readonly number[]
}

export class ClustersState implements Restorable, ObjectSource {
  readonly all: Ordered<Cluster> = new Ordered()
  readonly #byId = new Map<string, Cluster>()
  readonly #tools: Tools
  readonly #libraries: LibrariesState
  readonly #cloud: string
  readonly #failures: ClusterFailures
  readonly #machine: ClusterMachine
  readonly nodeTypes: readonly NodeType[]
  readonly sparkVersions: readonly SparkVersion[]
  /** Those that were made for runs and have ended, the oldest first. */
  #endedOfJobs: string[] = []
  #sequence = 0

  constructor(setup: ClustersSetup) {
    const { tools, libraries, cloud, failures = [] } = setup
    this.nodeTypes = setup.nodeTypes ?? NODE_TYPES
    this.sparkVersions = setup.sparkVersions ?? SPARK_VERSIONS
    this.#tools = tools
    this.#libraries = libraries
    this.#cloud = cloud
    this.#failures = new ClusterFailures(failures)
    this.#machine = new ClusterMachine(tools, libraries, this.#failures)
    tools.agenda.onStep(KINDS.step, (id, at) => this.#step(this.get(id), at), {
      stateOf: (id) => this.find(id)?.state,
    })
    tools.agenda.onStep(KINDS.idle, (id, at) => this.#machine.stopIdle(this.get(id), at))
    tools.agenda.onStep(KINDS.loss, (id, at) => this.#machine.lose(this.get(id), at))
  }

  /** The zones of the workspace's cloud. */
  get zones(): readonly string[] {
    return ZONES[this.#cloud] ?? []
  }

  /** A cluster as `list` shows it. */
  summary(cluster: Cluster): Body {
    return summaryOf(cluster, this.#tools.ids, this.nodeTypes)
  }

  /** A cluster as `get` shows it. */
  details(cluster: Cluster): Body {
    return detailsOf(cluster, this.#tools.ids, this.nodeTypes)
  }

  hasObject(id: string): boolean {
    return this.#byId.has(id)
  }

  find(id: string): Cluster | undefined {
    return this.#byId.get(id)
  }

  /** @throws AdapterFault in the words by which clients know a missing cluster */
  get(id: string): Cluster {
    const cluster = this.#byId.get(id)
    if (!cluster) throw invalid(`Cluster ${id} does not exist`)
    return cluster
  }

  /** The cluster, after a read that moves it on. */
  read(id: string): Cluster {
    this.#tools.agenda.observe(KINDS.step, this.get(id).cluster_id)
    return this.get(id)
  }

  /** A new cluster on its way to RUNNING. */
  create(
    requested: Body,
    userName: string,
    given: { readonly source?: string; readonly at?: number } = {},
  ): Cluster {
    const { source = 'API', at = this.#tools.clock.now() } = given
    const cluster = this.#make({
      requested,
      creator_user_name: userName,
      state: 'PENDING',
      cluster_source: source,
      at,
    })
    this.#machine.enter(cluster, cluster.start_time)
    const details = { cluster_size: sizeOf(cluster.spec), user: userName }
    this.#machine.log(cluster, 'CREATING', this.#now(cluster), details)
    return cluster
  }

  /** Keeps a cluster that a fixture declares, in whatever state. */
  declare(given: GivenCluster): void {
    const cluster = this.#make(given)
    this.#machine.declare(cluster, cluster.start_time)
  }

  start(cluster: Cluster, userName: string): void {
    this.#machine.expect(cluster, ['TERMINATED', 'ERROR'])
    this.#machine.start(cluster, this.#now(cluster), userName)
  }

  restart(cluster: Cluster, userName: string): void {
    this.#machine.expect(cluster, ['RUNNING'])
    this.#machine.restart(cluster, this.#now(cluster), userName)
  }

  resize(cluster: Cluster, size: Body, userName: string): void {
    this.#machine.expect(cluster, ['RUNNING'])
    this.#machine.resize(cluster, size, this.#now(cluster), userName)
  }

  /** Replaces what a cluster is made of; a running one restarts. */
  edit(cluster: Cluster, requested: Body, userName: string): void {
    this.#machine.expect(cluster, ['RUNNING', 'TERMINATED'])
    if (cluster.cluster_source === 'JOB')
      throw workspaceError(
        'INVALID_STATE',
        `Cluster ${cluster.cluster_id} belongs to a job and cannot be edited.`,
      )
    const previous = cluster.spec
    cluster.requested = requested
    cluster.spec = completeSpec(requested, this.#cloud, cluster.creator_user_name)
    this.#machine.log(cluster, 'EDITED', this.#now(cluster), {
      attributes: cluster.spec,
      previous_attributes: previous,
      cluster_size: sizeOf(cluster.spec),
      previous_cluster_size: sizeOf(previous),
      user: userName,
    })
    if (cluster.state === 'RUNNING') this.restart(cluster, userName)
  }

  /** Terminates a cluster; one that is down, or going down, stays as it is. */
  terminate(cluster: Cluster, userName: string): void {
    if (cluster.state === 'TERMINATING' || cluster.state === 'TERMINATED') return
    this.#machine.stop(cluster, this.#now(cluster), requestedBy(userName), '', { user: userName })
  }

  /** Ends a cluster without anybody's request. */
  end(cluster: Cluster, at: number, reason: TerminationReason): void {
    if (cluster.state === 'TERMINATING' || cluster.state === 'TERMINATED') return
    this.#machine.stop(cluster, Math.max(at, cluster.at), reason)
  }

  /** Pins a cluster, or takes the pin away. */
  pin(cluster: Cluster, isPinned: boolean, userName: string): void {
    if (cluster.isPinned === isPinned) return
    cluster.isPinned = isPinned
    this.#machine.log(cluster, isPinned ? 'PINNED' : 'UNPINNED', this.#now(cluster), { user: userName })
  }

  /** A run uses the cluster at a moment; one that is down is started for it. */
  use(cluster: Cluster, at: number, userName: string): void {
    // Reads may have taken it past the moment of the run, which has to wait then.
    const moment = Math.max(at, cluster.at)
    if (['TERMINATED', 'TERMINATING', 'ERROR'].includes(cluster.state))
      this.#machine.start(cluster, moment, userName)
    this.#machine.touch(cluster, moment)
  }

  /** Forgets a cluster altogether. */
  remove(cluster: Cluster): void {
    for (const kind of Object.values(KINDS)) this.#tools.agenda.cancel(kind, cluster.cluster_id)
    this.#libraries.forget(cluster.cluster_id)
    this.#byId.delete(cluster.cluster_id)
    this.all.delete(cluster)
  }

  snapshot(): ClustersSnapshot {
    const clusters = structuredClone([...this.all])
    return { clusters, sequence: this.#sequence, failures: this.#failures.snapshot() }
  }

  restore(snapshot: unknown): void {
    const { clusters, sequence, failures } = structuredClone(snapshot) as ClustersSnapshot
    for (const cluster of [...this.all]) this.remove(cluster)
    for (const cluster of clusters) this.#keep(cluster)
    this.#sequence = sequence
    this.#endedOfJobs = clusters
      .filter(({ cluster_source, state }) => cluster_source === 'JOB' && state === 'TERMINATED')
      .map(({ cluster_id }) => cluster_id)
    this.#failures.restore(failures)
  }

  #step(cluster: Cluster, at: number): void {
    this.#machine.step(cluster, at)
    if (cluster.cluster_source === 'JOB' && cluster.state === 'TERMINATED')
      this.#endedOfJobs.push(cluster.cluster_id)
    if (this.#endedOfJobs.length > MAX_ENDED_OF_JOBS) this.#removeEnded(this.#endedOfJobs.shift() ?? '')
  }

  #removeEnded(id: string): void {
    const cluster = this.find(id)
    if (cluster?.state === 'TERMINATED') this.remove(cluster)
  }

  #make(given: GivenCluster): Cluster {
    const { ids, clock } = this.#tools
    const [sequence, at] = [(this.#sequence += 1), given.at ?? clock.now()]
    const id = given.cluster_id ?? clusterIdOf(ids, at, sequence, (taken) => this.#byId.has(taken))
    const cluster = makeCluster({ ...given, cluster_id: id, at }, sequence, this.#cloud)
    this.#keep(cluster)
    return cluster
  }

  /** The moment it is for a cluster. */
  #now(cluster: Cluster): number {
    return Math.max(this.#tools.clock.now(), cluster.at)
  }

  #keep(cluster: Cluster): void {
    this.#byId.set(cluster.cluster_id, cluster)
    this.all.add(cluster)
  }
}
