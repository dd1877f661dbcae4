import { Ordered, type Sequenced } from 'sim-gateway/adapter'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WorkspaceMockContext } from '../src/mock.ts'
import { ask } from './client.ts'

const JOBS = 10_000
const RUNS = 100_000

/** A workspace of 10,000 jobs and 100,000 runs, of which the last thousand are active. */
function filled(): WorkspaceMockContext {
  const mock = new WorkspaceMockContext({
    lifecycle: { runs: { by: 'time' } },
    fixture: {
      version: 1,
      jobs: [{ job_id: 1, name: 'one', max_concurrent_runs: 1000, tasks: [{ task_key: 'a' }] }],
      runs: [
        { run_id: 1, job: 'one' },
        { run_id: 2, job: 'one', active: true },
      ],
    },
  })
  const { jobs, runs } = mock.state
  const settings = jobs.get(1).settings
  for (let at = 2; at <= JOBS; at += 1)
    jobs.add({ job_id: at, settings: { ...settings, name: `job ${at}` }, creator_user_name: 'x' })
  const [over, active] = [runs.get(1), runs.get(2)]
  for (let at = 3; at <= RUNS; at += 1) {
    const run = at <= RUNS - 1000 ? over : active
    const [task] = run.taskRuns
    const taskRuns = task ? [{ ...task, run_id: RUNS + at }] : []
    runs.index.add({ ...run, sequence: at, run_id: at, job_id: (at % JOBS) + 1, taskRuns })
  }
  return mock
}

/** Counts the items that are looked at. */
function countLooks(): { looks: number } {
  const counted = { looks: 0 }
  for (const way of ['upwards', 'downwards'] as const) {
    const walk = Ordered.prototype[way]
    vi.spyOn(Ordered.prototype, way).mockImplementation(function* walkCounting(
      this: Ordered<Sequenced>,
      sequence?: number,
    ) {
      for (const item of walk.call(this, sequence)) {
        counted.looks += 1
        yield item
      }
    } as typeof walk)
  }
  return counted
}

afterEach(() => vi.restoreAllMocks())

describe('a workspace of 10,000 jobs and 100,000 runs', () => {
  it('is looked through only as far as a page goes', async () => {
    const mock = filled()
    const counted = countLooks()
    const looksFor = async (method: string, path: string, body?: object): Promise<number> => {
      counted.looks = 0
      expect(await ask(mock, method, path, body)).toMatchObject({ status: 200 })
      return counted.looks
    }
    const first = (await ask(mock, 'GET', '/api/2.2/jobs/runs/list')).body as { next_page_token: string }
    const token = first.next_page_token

    expect(await looksFor('GET', '/api/2.2/jobs/list')).toBeLessThanOrEqual(21)
    expect(await looksFor('GET', '/api/2.2/jobs/list?name=job+7')).toBe(1)
    expect(await looksFor('GET', '/api/2.2/jobs/get?job_id=77')).toBe(0)
    expect(await looksFor('GET', '/api/2.2/jobs/runs/list')).toBeLessThanOrEqual(21)
    expect(await looksFor('GET', `/api/2.2/jobs/runs/list?page_token=${token}`)).toBeLessThanOrEqual(22)
    expect(await looksFor('GET', '/api/2.2/jobs/runs/list?job_id=77')).toBeLessThanOrEqual(21)
    expect(await looksFor('GET', '/api/2.2/jobs/runs/list?active_only=true')).toBeLessThanOrEqual(21)
    expect(await looksFor('GET', '/api/2.2/jobs/runs/get?run_id=5000')).toBe(0)
    expect(await looksFor('POST', '/api/2.2/jobs/run-now', { job_id: 77 })).toBe(0)
    expect(await looksFor('POST', '/api/2.2/jobs/runs/submit', { tasks: [{ task_key: 'a' }] })).toBe(0)
    expect(await looksFor('POST', '/api/2.2/jobs/runs/cancel', { run_id: RUNS })).toBe(0)
    expect(await looksFor('POST', '/api/2.2/jobs/runs/delete', { run_id: 5000 })).toBe(0)
  })

  it('is paged through to its end, each run once', async () => {
    const mock = filled()
    const ids: number[] = []
    let token = ''
    do {
      const page = (await ask(mock, 'GET', `/api/2.2/jobs/runs/list?job_id=78&limit=3${token}`)).body as {
        runs: { run_id: number }[]
        next_page_token?: string
      }
      ids.push(...page.runs.map(({ run_id }) => run_id))
      token = page.next_page_token === undefined ? '' : `&page_token=${page.next_page_token}`
    } while (token !== '')

    expect(ids).toEqual(Array.from({ length: 10 }, (_, at) => 90_077 - at * 10_000))
  })
})
