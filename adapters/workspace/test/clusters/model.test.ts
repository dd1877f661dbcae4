import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

/** The documented machine: where a cluster may be seen after it was seen somewhere. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['RUNNING', 'TERMINATING'],
  RUNNING: ['RESIZING', 'RESTARTING', 'TERMINATING'],
  RESTARTING: ['RUNNING', 'TERMINATING'],
  RESIZING: ['RUNNING', 'TERMINATING'],
  TERMINATING: ['TERMINATED'],
  TERMINATED: ['PENDING'],
}
const LASTS: Readonly<Record<string, number>> = {
  PENDING: 60_000,
  RESTARTING: 45_000,
  RESIZING: 30_000,
  TERMINATING: 15_000,
}
const IDLE_MS = 10 * 60_000

interface ModelCluster {
  state: string
  due: number | undefined
  readonly isBad: boolean
  readonly isIdle: boolean
  workers: number
  wanted: number
}

/** The simplest account of clusters: a state, and when it ends. */
class Model {
  now = 0
  readonly clusters = new Map<string, ModelCluster>()

  enter(cluster: ModelCluster, state: string, at: number): void {
    cluster.state = state
    const lasts = LASTS[state]
    cluster.due = lasts === undefined ? undefined : at + lasts
    if (state === 'RUNNING' && cluster.isIdle) cluster.due = at + IDLE_MS
  }

  advance(ms: number): void {
    this.now += ms
    for (const cluster of this.clusters.values())
      while (cluster.due !== undefined && cluster.due <= this.now) this.step(cluster, cluster.due)
  }

  step(cluster: ModelCluster, at: number): void {
    const { state } = cluster
    if (state === 'RESIZING') cluster.workers = cluster.wanted
    const isStart = state === 'PENDING' || state === 'RESTARTING'
    if (state === 'TERMINATING') this.enter(cluster, 'TERMINATED', at)
    else if (state === 'RUNNING' || (isStart && cluster.isBad)) this.enter(cluster, 'TERMINATING', at)
    else this.enter(cluster, 'RUNNING', at)
  }
}

interface Real {
  readonly mock: WorkspaceMockContext
  readonly seen: Map<string, string>
}

const RUNNING = ['0101-000000-aaaaaaaa', '0101-000000-bbbbbbbb']
const STOPPED = '0101-000000-cccccccc'

/** The clusters that are there from the start. */
function firstModel(): Model {
  const model = new Model()
  for (const id of [...RUNNING, STOPPED]) {
    const state = id === STOPPED ? 'TERMINATED' : 'RUNNING'
    model.clusters.set(id, { state, due: undefined, isBad: false, isIdle: false, workers: 1, wanted: 1 })
  }
  return model
}

const SPEC = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge' }

async function check(model: Model, { mock, seen }: Real): Promise<void> {
  const { body } = await ask(mock, 'GET', '/api/2.1/clusters/list?page_size=100')
  const listed =
    (body as { clusters?: { cluster_id: string; state: string; num_workers: number }[] }).clusters ?? []
  expect(Object.fromEntries(listed.map(({ cluster_id, state }) => [cluster_id, state]))).toEqual(
    Object.fromEntries([...model.clusters].map(([id, { state }]) => [id, state])),
  )
  for (const { cluster_id, state, num_workers } of listed) {
    const before = seen.get(cluster_id)
    if (before !== undefined && before !== state) expect(reachable(before)).toContain(state)
    seen.set(cluster_id, state)
    expect(num_workers).toBe(model.clusters.get(cluster_id)?.workers)
  }
}

/** All states that documented moves lead to: time may have taken several. */
function reachable(from: string): ReadonlySet<string> {
  const found = new Set([from])
  for (const state of found) for (const next of EDGES[state] ?? []) found.add(next)
  return found
}

function create(isBad: boolean, isIdle: boolean): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => model.clusters.size < 6,
    toString: () => `create(${isBad ? 'bad' : 'good'}${isIdle ? ', idle' : ''})`,
    async run(model, real) {
      const { body } = await ask(real.mock, 'POST', '/api/2.1/clusters/create', {
        ...SPEC,
        num_workers: 1,
        cluster_name: isBad ? 'bad' : 'good',
        ...(isIdle && { autotermination_minutes: 10 }),
      })
      const cluster = { state: '', due: undefined, isBad, isIdle, workers: 1, wanted: 1 }
      model.enter(cluster, 'PENDING', model.now)
      model.clusters.set((body as { cluster_id: string }).cluster_id, cluster)
      await check(model, real)
    },
  }
}

/** A request about one cluster, which is refused in all states but some. */
function act(
  name: string,
  which: number,
  allowed: readonly string[] | undefined,
  body: object,
  effect: (model: Model, cluster: ModelCluster, id: string) => void,
): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => model.clusters.size > 0,
    toString: () => `${name}(${which})`,
    async run(model, real) {
      const [id, cluster] = [...model.clusters][which % model.clusters.size] as [string, ModelCluster]
      const answer = await ask(real.mock, 'POST', `/api/2.1/clusters/${name}`, { cluster_id: id, ...body })
      const isAllowed = allowed === undefined || allowed.includes(cluster.state)
      expect(answer.status).toBe(isAllowed ? 200 : 400)
      if (isAllowed) effect(model, cluster, id)
      else expect(answer.body).toMatchObject({ error_code: 'INVALID_STATE' })
      await check(model, real)
    },
  }
}

const advance = (ms: number): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => `advance(${ms})`,
  async run(model, real) {
    await ask(real.mock, 'POST', '/__sim/clock', { advanceMs: ms })
    model.advance(ms)
    await check(model, real)
  },
})

const which = fc.nat({ max: 5 })
const commands = fc.commands(
  [
    fc.tuple(fc.boolean(), fc.boolean()).map(([isBad, isIdle]) => create(isBad, isIdle)),
    fc.constantFrom(1000, 15_000, 30_000, 60_000, 600_000).map(advance),
    which.map((at) =>
      act('start', at, ['TERMINATED'], {}, (model, cluster) => model.enter(cluster, 'PENDING', model.now)),
    ),
    which.map((at) =>
      act('restart', at, ['RUNNING'], {}, (model, cluster) => model.enter(cluster, 'RESTARTING', model.now)),
    ),
    fc.tuple(which, fc.nat({ max: 4 })).map(([at, workers]) =>
      act('resize', at, ['RUNNING'], { num_workers: workers }, (model, cluster) => {
        cluster.wanted = workers
        model.enter(cluster, 'RESIZING', model.now)
      }),
    ),
    which.map((at) =>
      act('delete', at, undefined, {}, (model, cluster) => {
        if (!cluster.state.startsWith('TERMINAT')) model.enter(cluster, 'TERMINATING', model.now)
      }),
    ),
    which.map((at) =>
      act('permanent-delete', at, undefined, {}, (model, _cluster, id) => void model.clusters.delete(id)),
    ),
  ],
  { maxCommands: 30 },
)

describe('clusters and their model', () => {
  it('are never in a state that the documented machine does not lead to', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        using mock = new WorkspaceMockContext({
          lifecycle: { clusters: { by: 'time' } },
          fixture: {
            version: 1,
            clusters: [
              ...RUNNING.map((cluster_id) => ({ ...SPEC, cluster_id, num_workers: 1, state: 'RUNNING' })),
              { ...SPEC, cluster_id: STOPPED, num_workers: 1, state: 'TERMINATED' },
            ],
            clusterFailures: [
              { cluster_name: 'bad', termination_reason: { code: 'BAD', type: 'CLIENT_ERROR' } },
            ],
          },
        })
        const real: Real = { mock, seen: new Map() }
        await fc.asyncModelRun(() => ({ model: firstModel(), real }), sequence)
        for (const { events } of mock.state.clusters.all) {
          const times = events.map(({ timestamp }) => timestamp)
          expect(times).toEqual(times.toSorted((a, b) => a - b))
          expect(events.map(({ type }) => type)).not.toContain('TERMINATED')
        }
      }),
      { numRuns: 60 },
    )
  })
})
