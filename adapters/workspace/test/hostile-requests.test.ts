import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { WorkspaceMockContext } from '../src/mock.ts'

// Ids of the bundled fixture, so that requests get past the first check.
const KNOWN = ['0101-000000-sharedab', 1001, '1001', 5001, '5001', '/Shared', '/', 'users', 'CAN_MANAGE', 'a']

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...KNOWN),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e300, '', 'x', '\u0000', '__proto__', [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(
    fc.record(
      { task_key: fc.jsonValue(), depends_on: fc.jsonValue(), pypi: fc.jsonValue(), jar: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
)

function request(fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] })
}

describe('hostile requests', () => {
  it.for(adapter.operations.filter(({ handle }) => handle !== undefined))(
    'get an answer of the service from $id',
    async ({ method, path, supports = [] }) => {
      using mock = new WorkspaceMockContext()
      await fc.assert(
        fc.asyncProperty(request(supports), fc.array(value, { maxLength: 3 }), async (given, parameters) => {
          let next = 0
          const target = path.replaceAll(/\{\w+\*?\}/g, () =>
            encodeURIComponent(textOf(parameters[(next += 1) - 1] ?? 'x').slice(0, 40) || 'x'),
          )
          const query = new URLSearchParams(
            Object.entries(given).map(([key, each]): [string, string] => [key, textOf(each)]),
          )
          const hasBody = method !== 'GET' && method !== 'DELETE'
          const response = await mock.fetch(hasBody ? target : `${target}?${query.toString()}`, {
            method,
            ...(hasBody && { body: JSON.stringify(given) }),
          })
          const text = await response.text()
          expect(response.status === 200 || response.status < 500 || text).toBe(true)
          if (response.status !== 200) expect(text).toMatch(/"error_code":"[A-Z_]+"|"schemas"/)
        }),
        { numRuns: 60 },
      )
    },
  )
})

const TASK_FIELDS = [
  'depends_on',
  'run_if',
  'timeout_seconds',
  'max_retries',
  'min_retry_interval_millis',
  'retry_on_timeout',
  'disabled',
  'existing_cluster_id',
  'new_cluster',
  'job_cluster_key',
  'libraries',
  'notebook_task',
  'condition_task',
  'for_each_task',
  'run_job_task',
  'spark_python_task',
  'sql_task',
]
const nested = fc.oneof(
  value,
  fc.record({ left: value, op: value, right: value }, { requiredKeys: [] }),
  fc.record({ inputs: value, concurrency: value, task: value }, { requiredKeys: [] }),
  fc.record({ job_id: value, job_parameters: value }, { requiredKeys: [] }),
  fc.record(
    { notebook_path: value, init_scripts: value, autoscale: value, num_workers: value },
    { requiredKeys: [] },
  ),
)
// Few fields at a time, since one that is refused hides what the others do.
const task = fc
  .array(fc.tuple(fc.constantFrom(...TASK_FIELDS), nested), { maxLength: 2 })
  .map((fields): object => ({ ...Object.fromEntries(fields), task_key: 'a' }))
const seldom = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, nested)

describe('hostile tasks', () => {
  it('are refused, or run and can be read', async () => {
    using mock = new WorkspaceMockContext()
    const ask = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; text: string }> => {
      const response = await mock.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, text: await response.text() }
    }
    let ran = 0
    await fc.assert(
      fc.asyncProperty(task, seldom, seldom, async (given, jobClusters, parameters) => {
        const settings = { name: 'x', tasks: [given], job_clusters: jobClusters, parameters }
        const answers = [await ask('POST', '/api/2.2/jobs/create', settings)]
        const made = JSON.parse(answers[0]?.text ?? '') as { job_id?: number }
        const started = await ask(
          'POST',
          made.job_id === undefined ? '/api/2.2/jobs/runs/submit' : '/api/2.2/jobs/run-now',
          made.job_id === undefined ? { tasks: [given] } : { job_id: made.job_id },
        )
        answers.push(started)
        const { run_id: id } = JSON.parse(started.text) as { run_id?: number }
        if (id !== undefined)
          for (const path of [
            `get?run_id=${id}`,
            `get-output?run_id=${id}`,
            `export?run_id=${id}`,
            'list?expand_tasks=true',
          ])
            answers.push(await ask('GET', `/api/2.2/jobs/runs/${path}`))
        if (made.job_id !== undefined) await ask('POST', '/api/2.2/jobs/delete', { job_id: made.job_id })
        if (id !== undefined) ran += 1
        expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      }),
      { numRuns: 400 },
    )
    expect(ran).toBeGreaterThan(100)
  })
})

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
