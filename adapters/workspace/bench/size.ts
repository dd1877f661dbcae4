import { WorkspaceMock } from '../src/index.ts'

// How the cost of requests grows with what is in the store:
// NODE_OPTIONS=--conditions=source npx jiti adapters/workspace/bench/size.ts

const SIZES = [
  { jobs: 100, runs: 1000 },
  { jobs: 1000, runs: 10_000 },
  { jobs: 10_000, runs: 100_000 },
] as const
const ROUNDS = 300

/** Time of the processor, which other work on the machine does not count towards. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function fill(mock: WorkspaceMock, { jobs, runs }: { readonly jobs: number; readonly runs: number }): number {
  const state = mock.adapter.state()
  const began = processorMs()
  const tasks = [{ task_key: 'a', run_if: 'ALL_SUCCESS', timeout_seconds: 0 }]
  for (let at = 0; at < jobs; at += 1) {
    const settings = { name: `job ${at}`, timeout_seconds: 0, max_concurrent_runs: 1000, tasks }
    state.jobs.add({ settings, creator_user_name: 'someone@example.com' })
  }
  const all = [...state.jobs.all]
  for (let at = 0; at < runs; at += 1) {
    const job = all[at % all.length]
    if (job === undefined) break
    const run = state.runs.startJob(job, { creator_user_name: 'someone@example.com' })
    if (at % 10 > 0) state.runs.playOut(run)
  }
  return processorMs() - began
}

async function time(
  mock: WorkspaceMock,
  ask: (at: number) => readonly [string, string, object?],
): Promise<string> {
  const began = processorMs()
  for (let at = 0; at < ROUNDS; at += 1) {
    const [method, path, body] = ask(at)
    const response = await mock.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    await response.arrayBuffer()
  }
  return ((processorMs() - began) / ROUNDS).toFixed(2)
}

for (const size of SIZES) {
  const mock = new WorkspaceMock({ fixture: { version: 1 } })
  const filled = fill(mock, size)
  const { jobs, runs } = mock.adapter.state()
  const someJob = [...jobs.all][Math.floor(size.jobs / 2)]?.job_id ?? 0
  const someRun = [...runs.index.all][Math.floor(size.runs / 2)]?.run_id ?? 0
  const submitted = { tasks: [{ task_key: 'a' }] }
  const figures = {
    'fill (ms)': filled.toFixed(0),
    'jobs/list': await time(mock, () => ['GET', '/api/2.2/jobs/list']),
    'jobs/list by name': await time(mock, (at) => ['GET', `/api/2.2/jobs/list?name=job+${at % size.jobs}`]),
    'jobs/get': await time(mock, () => ['GET', `/api/2.2/jobs/get?job_id=${someJob}`]),
    'runs/list': await time(mock, () => ['GET', '/api/2.2/jobs/runs/list']),
    'runs/list of a job': await time(mock, () => ['GET', `/api/2.2/jobs/runs/list?job_id=${someJob}`]),
    'runs/list active': await time(mock, () => ['GET', '/api/2.2/jobs/runs/list?active_only=true']),
    'runs/get': await time(mock, () => ['GET', `/api/2.2/jobs/runs/get?run_id=${someRun}`]),
    'run-now': await time(mock, () => ['POST', '/api/2.2/jobs/run-now', { job_id: someJob }]),
    'runs/submit': await time(mock, () => ['POST', '/api/2.2/jobs/runs/submit', submitted]),
  }
  process.stdout.write(`${size.jobs} jobs, ${size.runs} runs (processor ms a request)\n`)
  for (const [name, figure] of Object.entries(figures))
    process.stdout.write(`  ${name.padEnd(20)} ${figure.padStart(8)}\n`)
}
