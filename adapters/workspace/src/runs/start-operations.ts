import { invalid } from '../errors.ts'
import {
  type Body,
  bodyOf,
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalObjects,
  optionalText,
  requiredInteger,
} from '../fields.ts'
import type { Job, TaskSettings } from '../jobs/job.ts'
import { readTasks } from '../jobs/settings.ts'
import type { WorkspaceContext, WorkspaceOperation } from '../operation.ts'
import type { AccessEntry } from '../part.ts'
import { keptSettings, parametersOf, requestOfJob } from './run-request.ts'
import type { Run } from './run.ts'
import { objectOf, runOperation } from './slice.ts'

const MAX_BYTES = 10_000
const SDK = 'test/runs/sdk.test.ts'
const GOLDEN = 'test/runs/golden.test.ts > keeps the contract of every operation on runs'
const PARAMETERS = `dbt_commands jar_params notebook_params pipeline_params python_named_params python_params
  spark_submit_params sql_params`.split(/\s+/)

/** The operations that start runs. */
export const runStarts: readonly WorkspaceOperation[] = [
  runOperation('runNow', 'POST /run-now', {
    supports: ['job_id', 'job_parameters', ...PARAMETERS, 'only', 'queue', 'idempotency_token'],
    limits: { maxParameterBytes: MAX_BYTES, maxTokenLength: 64 },
    sideEffects: ['starts a run of the job, queues or skips it'],
    tests: [
      GOLDEN,
      `${SDK} > waits for the run of a job`,
      `${SDK} > makes one run for repeated requests with one token`,
    ],
    handle(context) {
      const run = runNow(context)
      return { run_id: run.run_id, number_in_job: run.run_id }
    },
  }),
  runOperation('submit', 'POST /runs/submit', {
    supports:
      `tasks run_name timeout_seconds idempotency_token access_control_list git_source environments queue
      run_as`.split(/\s+/),
    limits: { maxTasks: 1000, maxTokenLength: 64 },
    sideEffects: ['starts a run of the tasks'],
    tests: [GOLDEN, `${SDK} > waits for submitted tasks`],
    handle: (context) => ({ run_id: submit(context).run_id }),
  }),
]

function runNow(context: WorkspaceContext): Run {
  const { state } = context
  const body = bodyOf(context)
  const job = state.jobs.get(requiredInteger(body, 'job_id'))
  state.permissions.require(context, objectOf(job), 'CAN_MANAGE_RUN')
  const token = optionalText(body, 'idempotency_token')
  const scope = `jobs/${job.job_id}`
  const known = knownRun(context, scope, token)
  if (known) return known
  const usual = requestOfJob(job)
  const run = state.runs.start({
    ...usual,
    creator_user_name: state.scim.callerOf(context.credentials).userName,
    tasks: chosenTasks(job, body),
    parameters: readParameters(body),
    job_parameters: parametersOf(job.settings, checkedParameters(body)),
    isQueued: optionalBoolean(optionalObject(body, 'queue') ?? {}, 'enabled') ?? usual.isQueued,
  })
  state.runs.tokens.keep(scope, token, run.run_id)
  return run
}

function submit(context: WorkspaceContext): Run {
  const { state } = context
  const body = bodyOf(context)
  const token = optionalText(body, 'idempotency_token')
  const known = knownRun(context, 'submit', token)
  if (known) return known
  const tasks = readTasks(body) ?? []
  if (tasks.length === 0) throw invalid('Missing required field: tasks')
  const user = state.scim.callerOf(context.credentials).userName
  const run = state.runs.start({
    run_name: optionalText(body, 'run_name') ?? 'Untitled',
    run_type: 'SUBMIT_RUN',
    trigger: 'ONE_TIME',
    creator_user_name: user,
    tasks,
    settings: keptSettings(body),
    parameters: {},
    job_parameters: [],
    timeoutSeconds: Math.max(0, optionalInteger(body, 'timeout_seconds') ?? 0),
    maxConcurrentRuns: 1,
    isQueued: false,
  })
  const entries = optionalObjects(body, 'access_control_list') as readonly AccessEntry[] | undefined
  state.permissions.own(objectOf(run), user, entries)
  state.runs.tokens.keep('submit', token, run.run_id)
  return run
}

/** The run that a token was used for before. */
function knownRun({ state }: WorkspaceContext, scope: string, token: string | undefined): Run | undefined {
  const id = state.runs.tokens.find(scope, token)
  return id === undefined ? undefined : state.runs.get(id)
}

function chosenTasks(job: Job, body: Body): readonly TaskSettings[] {
  const tasks = job.settings.tasks ?? []
  const only = optionalList(body, 'only') as readonly string[] | undefined
  if (only === undefined || only.length === 0) return tasks
  const unknown = only.find((key) => !tasks.some(({ task_key }) => task_key === key))
  if (unknown !== undefined) throw invalid(`Job ${job.job_id} has no task '${unknown}'.`)
  return tasks.filter(({ task_key }) => only.includes(task_key))
}

/** The parameters in a body that override those of tasks. */
export function readParameters(body: Body): Body {
  const given = PARAMETERS.filter((name) => body[name] != null)
  for (const name of given) checkLength(name, body[name])
  return Object.fromEntries(given.map((name) => [name, body[name]]))
}

export function checkedParameters(body: Body): Body {
  const parameters = optionalObject(body, 'job_parameters') ?? {}
  checkLength('job_parameters', parameters)
  return parameters
}

function checkLength(name: string, value: unknown): void {
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES)
    throw invalid(`The JSON of ${name} must not be longer than ${MAX_BYTES} bytes.`)
}
