import { workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { LibrariesState } from '../libraries/libraries-state.ts'
import type { Tools } from '../part.ts'
import { sizeOf, workersOf } from './cluster-view.ts'
import {
  type Cluster,
  CLUSTER_MOVES,
  type ClusterFailure,
  type ClusterFailures,
  type ClusterState,
  requestedBy,
  STATE_MS,
  type TerminationReason,
  titleOf,
} from './cluster.ts'

/** What moves clusters on their own: steps on the way, idleness, and losses that the fixture declares. */
export const KINDS = { step: 'clusters', idle: 'cluster-idle', loss: 'cluster-loss' } as const

const MINUTE_MS = 60_000

/** The moves of clusters between their states, on the timeline of each. */
export class ClusterMachine {
  readonly #tools: Tools
  readonly #libraries: LibrariesState
  readonly #failures: ClusterFailures

  constructor(tools: Tools, libraries: LibrariesState, failures: ClusterFailures) {
    this.#tools = tools
    this.#libraries = libraries
    this.#failures = failures
  }

  /** @throws AdapterFault INVALID_STATE unless the cluster is in one of the states */
  expect(cluster: Cluster, states: readonly ClusterState[]): void {
    if (states.includes(cluster.state)) return
    const { cluster_id, state } = cluster
    throw workspaceError('INVALID_STATE', `Cluster ${cluster_id} is in unexpected state ${titleOf(state)}.`)
  }

  log(cluster: Cluster, type: string, timestamp: number, details: Body = {}): void {
    cluster.at = Math.max(cluster.at, timestamp)
    cluster.events.push({ sequence: cluster.events.length, timestamp, type, details })
  }

  /** A cluster was just made, in whatever state. */
  enter(cluster: Cluster, at: number): void {
    if (cluster.state === 'RUNNING') this.#run(cluster, at)
    else this.#plan(cluster, at)
  }

  /** A cluster that a fixture declares has the events of one that was created and brought into its state. */
  declare(cluster: Cluster, at: number): void {
    const { state, spec, creator_user_name: user } = cluster
    this.log(cluster, 'CREATING', at, { cluster_size: sizeOf(spec), user })
    if (cluster.isPinned) this.log(cluster, 'PINNED', at, { user })
    if (!['PENDING', 'RUNNING', 'ERROR'].includes(state)) this.#logStart(cluster, at)
    if (state === 'RESTARTING') this.log(cluster, 'RESTARTING', at, { user })
    if (state === 'RESIZING') this.#logResize(cluster, spec, at, user)
    if (state === 'TERMINATING' || state === 'TERMINATED')
      this.log(cluster, 'TERMINATING', at, { reason: cluster.termination_reason ?? requestedBy(user) })
    this.enter(cluster, at)
  }

  start(cluster: Cluster, at: number, userName: string): void {
    if (cluster.state === 'ERROR') this.#move(cluster, 'TERMINATING', at)
    if (cluster.state === 'TERMINATING') this.#move(cluster, 'TERMINATED', at)
    cluster.starts += 1
    cluster.start_time = at
    delete cluster.terminated_time
    delete cluster.termination_reason
    this.log(cluster, 'STARTING', at, { cluster_size: sizeOf(cluster.spec), user: userName })
    this.#move(
      cluster,
      'PENDING',
      at,
      'Finding instances for new nodes, acquiring more instances if necessary',
    )
  }

  restart(cluster: Cluster, at: number, userName: string): void {
    cluster.starts += 1
    cluster.last_restarted_time = at
    this.log(cluster, 'RESTARTING', at, { user: userName })
    this.#move(cluster, 'RESTARTING', at, 'Restarting the cluster')
  }

  resize(cluster: Cluster, size: Body, at: number, userName: string): void {
    cluster.resizeTo = size
    this.#logResize(cluster, size, at, userName)
    this.#move(cluster, 'RESIZING', at, `Resizing to ${workersOf(size)} workers`)
  }

  stop(cluster: Cluster, at: number, reason: TerminationReason, message = '', details: Body = {}): void {
    cluster.termination_reason = reason
    this.log(cluster, 'TERMINATING', at, { reason, ...details })
    this.#move(cluster, 'TERMINATING', at, message)
  }

  /** The cluster takes the next step from a state on the way. */
  step(cluster: Cluster, at: number): void {
    if (cluster.state === 'TERMINATING') this.#end(cluster, at)
    else if (cluster.state === 'RESIZING') this.#grow(cluster, at)
    else if (cluster.state === 'PENDING' || cluster.state === 'RESTARTING') this.#come(cluster, at)
  }

  /** The cluster was not used for as long as it may stay up. */
  stopIdle(cluster: Cluster, at: number): void {
    const minutes = String(cluster.spec['autotermination_minutes'])
    const reason = { code: 'INACTIVITY', type: 'SUCCESS', parameters: { inactivity_duration_min: minutes } }
    this.stop(cluster, at, reason, `Inactive cluster terminated (inactive for ${minutes} minutes).`)
  }

  /** The cluster is lost, as the fixture declares. */
  lose(cluster: Cluster, at: number): void {
    const { lossOnTheWay: failure } = cluster
    if (!failure) return
    delete cluster.lossOnTheWay
    this.log(cluster, 'NODES_LOST', at, {
      current_num_workers: 0,
      target_num_workers: workersOf(cluster.spec),
    })
    this.stop(cluster, at, failure.termination_reason, failure.state_message)
  }

  /** The cluster is used until `at`, which puts off its autotermination. */
  touch(cluster: Cluster, at: number): void {
    cluster.lastActivity = Math.max(cluster.lastActivity, at)
    const minutes = Number(cluster.spec['autotermination_minutes'] ?? 0)
    if (minutes > 0 && cluster.state === 'RUNNING')
      this.#tools.agenda.plan(KINDS.idle, cluster.cluster_id, cluster.lastActivity + minutes * MINUTE_MS)
  }

  #come(cluster: Cluster, at: number): void {
    const failure = this.#failures.apply(cluster)
    if (failure && failure.runsForMs === undefined) {
      this.#fail(cluster, at, failure)
      return
    }
    this.#run(cluster, at)
    if (failure?.runsForMs === undefined) return
    cluster.lossOnTheWay = failure
    this.#tools.agenda.plan(KINDS.loss, cluster.cluster_id, at + failure.runsForMs)
  }

  #fail(cluster: Cluster, at: number, failure: ClusterFailure): void {
    const { termination_reason: reason, state_message: message = reason.code } = failure
    if (failure.state === 'ERROR' && cluster.state === 'PENDING') {
      cluster.termination_reason = reason
      this.#move(cluster, 'ERROR', at, message)
    } else this.stop(cluster, at, reason, message)
  }

  #run(cluster: Cluster, at: number): void {
    this.#move(cluster, 'RUNNING', at)
    cluster.spark_context_id = this.#tools.ids.number('context', cluster.cluster_id, cluster.starts)
    cluster.last_state_loss_time = at
    this.#logStart(cluster, at)
    this.touch(cluster, at)
    this.#libraries.clusterRuns(cluster.cluster_id, at)
  }

  #logStart(cluster: Cluster, at: number): void {
    const size = workersOf(cluster.spec)
    const hasScripts = ((cluster.spec['init_scripts'] as readonly unknown[] | undefined) ?? []).length > 0
    if (hasScripts) this.log(cluster, 'INIT_SCRIPTS_STARTED', at)
    if (hasScripts) this.log(cluster, 'INIT_SCRIPTS_FINISHED', at)
    this.log(cluster, 'RUNNING', at, { current_num_workers: size, target_num_workers: size })
    this.log(cluster, 'DRIVER_HEALTHY', at)
  }

  #logResize(cluster: Cluster, size: Body, at: number, userName: string): void {
    this.log(cluster, 'RESIZING', at, {
      previous_cluster_size: sizeOf(cluster.spec),
      cluster_size: sizeOf(size),
      current_num_workers: workersOf(cluster.spec),
      target_num_workers: workersOf(size),
      cause: 'USER_REQUEST',
      user: userName,
    })
  }

  #grow(cluster: Cluster, at: number): void {
    const { num_workers: _workers, autoscale: _autoscale, ...others } = cluster.spec
    const { num_workers: _given, autoscale: _wanted, ...requested } = cluster.requested
    const size = cluster.resizeTo ?? sizeOf(cluster.spec)
    cluster.spec = { ...others, ...size }
    cluster.requested = { ...requested, ...size }
    delete cluster.resizeTo
    this.#move(cluster, 'RUNNING', at)
    const workers = workersOf(cluster.spec)
    this.log(cluster, 'UPSIZE_COMPLETED', at, { current_num_workers: workers, target_num_workers: workers })
    this.touch(cluster, at)
  }

  #end(cluster: Cluster, at: number): void {
    cluster.terminated_time = at
    delete cluster.spark_context_id
    delete cluster.resizeTo
    this.#move(cluster, 'TERMINATED', at, cluster.state_message)
  }

  #move(cluster: Cluster, state: ClusterState, at: number, message = ''): void {
    const { cluster_id: id } = cluster
    if (cluster.state !== state && !CLUSTER_MOVES[cluster.state].includes(state))
      throw new Error(`Cluster ${id} cannot go from ${cluster.state} to ${state}`)
    cluster.state = state
    cluster.at = Math.max(cluster.at, at)
    cluster.state_message = message
    this.#tools.agenda.cancel(KINDS.step, id)
    this.#tools.agenda.cancel(KINDS.idle, id)
    if (state !== 'RUNNING' && state !== 'RESIZING') this.#tools.agenda.cancel(KINDS.loss, id)
    if (state !== 'RUNNING' && state !== 'RESIZING') this.#libraries.clusterStops(id)
    this.#plan(cluster, at)
  }

  #plan(cluster: Cluster, at: number): void {
    const duration = STATE_MS[cluster.state]
    if (duration !== undefined) this.#tools.agenda.plan(KINDS.step, cluster.cluster_id, at + duration)
  }
}
