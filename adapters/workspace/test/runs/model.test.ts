import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

/** The moves of a run that there are. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ['PENDING', 'TERMINATING'],
  PENDING: ['RUNNING', 'TERMINATING'],
  RUNNING: ['TERMINATED', 'TERMINATING'],
  TERMINATING: ['TERMINATED'],
  // A repair.
  TERMINATED: ['PENDING'],
  SKIPPED: [],
}
const SETUP_MS = 5000
const DURATION_MS = 30_000
const CANCEL_MS = 2000
const LIMIT = 2

interface ModelRun {
  life: string
  result: string | undefined
  due: number | undefined
  isCancelled: boolean
  repairs: number
}

/** The simplest account of the runs of one job with one task: a state each, and when it ends. */
class Model {
  now = 0
  readonly runs = new Map<number, ModelRun>()

  active(): number {
    return [...this.runs.values()].filter(({ life }) => ['PENDING', 'RUNNING', 'TERMINATING'].includes(life))
      .length
  }

  begin(run: ModelRun, at: number): void {
    Object.assign(run, { life: 'PENDING', due: at + SETUP_MS, result: undefined, isCancelled: false })
  }

  advance(ms: number): void {
    this.now += ms
    for (let next = this.next(); next && (next.due ?? 0) <= this.now; next = this.next()) this.step(next)
  }

  next(): ModelRun | undefined {
    const waiting = [...this.runs.values()].filter(({ due }) => due !== undefined)
    return waiting.toSorted((a, b) => (a.due ?? 0) - (b.due ?? 0))[0]
  }

  step(run: ModelRun): void {
    const at = run.due ?? 0
    if (run.life === 'PENDING') Object.assign(run, { life: 'RUNNING', due: at + DURATION_MS })
    else {
      Object.assign(run, {
        life: 'TERMINATED',
        due: undefined,
        result: run.isCancelled ? 'CANCELED' : 'SUCCESS',
      })
      const queued = [...this.runs.values()].find(({ life }) => life === 'QUEUED')
      if (queued && this.active() < LIMIT) this.begin(queued, at)
    }
  }
}

interface Real {
  readonly mock: WorkspaceMockContext
  readonly seen: Map<number, string>
}

interface Listed {
  readonly run_id: number
  readonly state: { readonly life_cycle_state: string; readonly result_state?: string }
}

async function check(model: Model, { mock, seen }: Real): Promise<void> {
  const { body } = await ask(mock, 'GET', '/api/2.2/jobs/runs/list?limit=25&job_id=1')
  const listed = (body as { runs?: Listed[] }).runs ?? []
  expect(
    Object.fromEntries(
      listed.map(({ run_id, state }) => [run_id, [state.life_cycle_state, state.result_state]]),
    ),
  ).toEqual(Object.fromEntries([...model.runs].map(([id, { life, result }]) => [id, [life, result]])))
  for (const { run_id, state } of listed) {
    const before = seen.get(run_id)
    if (before !== undefined) expect(reachable(before)).toContain(state.life_cycle_state)
    seen.set(run_id, state.life_cycle_state)
  }
}

function reachable(from: string): ReadonlySet<string> {
  const found = new Set([from])
  for (const state of found) for (const next of EDGES[state] ?? []) found.add(next)
  return found
}

const runNow = (isQueued: boolean): fc.AsyncCommand<Model, Real> => ({
  check: (model) => model.runs.size < 20,
  toString: () => `runNow(${isQueued ? 'queued' : ''})`,
  async run(model, real) {
    const { body } = await ask(real.mock, 'POST', '/api/2.2/jobs/run-now', {
      job_id: 1,
      queue: { enabled: isQueued },
    })
    const run: ModelRun = {
      life: 'QUEUED',
      result: undefined,
      due: undefined,
      isCancelled: false,
      repairs: 0,
    }
    const isFull = model.active() >= LIMIT
    if (!isFull) model.begin(run, model.now)
    else if (!isQueued) Object.assign(run, { life: 'SKIPPED', result: 'MAXIMUM_CONCURRENT_RUNS_REACHED' })
    model.runs.set((body as { run_id: number }).run_id, run)
    await check(model, real)
  },
})

/** How a request was answered, and whether the model allows it. */
interface Outcome {
  readonly status: number
  readonly isAllowed: boolean
}

function act(
  name: string,
  which: number,
  perform: (model: Model, run: ModelRun, id: number, mock: WorkspaceMockContext) => Promise<Outcome>,
): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => model.runs.size > 0,
    toString: () => `${name}(${which})`,
    async run(model, real) {
      const [id, run] = [...model.runs][which % model.runs.size] as [number, ModelRun]
      const { status, isAllowed } = await perform(model, run, id, real.mock)
      expect(status).toBe(isAllowed ? 200 : 400)
      await check(model, real)
    },
  }
}

const isOver = ({ life }: ModelRun): boolean => life === 'TERMINATED' || life === 'SKIPPED'

const which = fc.nat({ max: 19 })
const commands = fc.commands(
  [
    fc.boolean().map(runNow),
    fc.constantFrom(500, 2000, 5000, 30_000, 100_000).map((ms) => ({
      check: () => true,
      toString: () => `advance(${ms})`,
      async run(model: Model, real: Real) {
        await ask(real.mock, 'POST', '/__sim/clock', { advanceMs: ms })
        model.advance(ms)
        await check(model, real)
      },
    })),
    which.map((at) =>
      act('cancel', at, async (model, run, id, mock) => {
        const { status } = await ask(mock, 'POST', '/api/2.2/jobs/runs/cancel', { run_id: id })
        if (!isOver(run) && run.life !== 'TERMINATING')
          Object.assign(run, { life: 'TERMINATING', due: model.now + CANCEL_MS, isCancelled: true })
        return { status, isAllowed: true }
      }),
    ),
    which.map((at) =>
      act('delete', at, async (model, run, id, mock) => {
        const { status } = await ask(mock, 'POST', '/api/2.2/jobs/runs/delete', { run_id: id })
        if (isOver(run)) model.runs.delete(id)
        return { status, isAllowed: isOver(run) }
      }),
    ),
    which.map((at) =>
      act('repair', at, async (model, run, id, mock) => {
        const { status } = await ask(mock, 'POST', '/api/2.2/jobs/runs/repair', {
          run_id: id,
          rerun_all_failed_tasks: true,
        })
        const isPossible = run.life === 'TERMINATED' && run.result === 'CANCELED' && run.repairs === 0
        if (isPossible) model.begin(run, model.now)
        if (isPossible) run.repairs += 1
        return { status, isAllowed: isPossible }
      }),
    ),
  ],
  { maxCommands: 30 },
)

describe('runs and their model', () => {
  it('are never in a state that the documented machine does not lead to', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        using mock = new WorkspaceMockContext({
          lifecycle: { runs: { by: 'time' } },
          fixture: {
            version: 1,
            jobs: [{ job_id: 1, name: 'one', max_concurrent_runs: LIMIT, tasks: [{ task_key: 'a' }] }],
          },
        })
        await fc.asyncModelRun(() => ({ model: new Model(), real: { mock, seen: new Map() } }), sequence)
      }),
      { numRuns: 60 },
    )
  })
})
