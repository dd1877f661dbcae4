import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'
import { isFinal, type Living, type Run, type TaskRun } from './run.ts'
import { inputsOf } from './task-machine.ts'

const STATES: Readonly<Record<Living['life'], string>> = {
  QUEUED: 'QUEUED',
  BLOCKED: 'BLOCKED',
  PENDING: 'PENDING',
  RUNNING: 'RUNNING',
  WAITING_FOR_RETRY: 'WAITING',
  TERMINATING: 'TERMINATING',
  TERMINATED: 'TERMINATED',
  SKIPPED: 'TERMINATED',
  INTERNAL_ERROR: 'TERMINATED',
}

const MESSAGES: Readonly<Partial<Record<Living['life'], string>>> = {
  PENDING: 'Waiting for cluster',
  RUNNING: 'In run',
  TERMINATING: 'Terminating the run',
}

type Stateful = Pick<Living, 'life' | 'ending'>

/** Both `state` and `status`: some clients read one, some the other. */
export function statusesOf(living: Stateful, maxConcurrentRuns?: number): Body {
  const { life, ending } = living
  const reason = `Queued due to reaching maximum concurrent runs of ${maxConcurrentRuns}.`
  return {
    state: {
      life_cycle_state: life,
      ...(ending && { result_state: ending.result }),
      state_message: ending?.message ?? MESSAGES[life] ?? '',
      user_cancelled_or_timedout: ending?.result === 'CANCELED' || ending?.result === 'TIMEDOUT',
      ...(life === 'QUEUED' && { queue_reason: reason }),
    },
    status: {
      state: STATES[life],
      ...(ending && {
        termination_details: { code: ending.code, type: ending.type, message: ending.message },
      }),
      ...(life === 'QUEUED' && { queue_details: { code: 'MAX_CONCURRENT_RUNS_REACHED', message: reason } }),
    },
  }
}

/** Begin, end and durations as numbers, also while they are not known. */
export function timesOf(living: Living, at: number): Body {
  const { start_time, end_time, setup_duration, execution_duration, cleanup_duration } = living
  const until = end_time > 0 ? end_time : Math.max(at, start_time)
  const run_duration = start_time > 0 ? until - start_time : 0
  return { start_time, setup_duration, execution_duration, cleanup_duration, end_time, run_duration }
}

/** The stretches of a run: the original one, and each repair. */
export function historyOf(run: Run): readonly Body[] {
  return run.stretches.map((stretch, index) => {
    const isLast = index === run.stretches.length - 1
    const { type, id, start_time, task_run_ids } = stretch
    const living: Stateful = isLast
      ? run
      : { life: stretch.life ?? 'TERMINATED', ...(stretch.ending && { ending: stretch.ending }) }
    return {
      type,
      ...(id !== undefined && { id }),
      start_time,
      end_time: isLast ? run.end_time : stretch.end_time,
      ...statusesOf(living, run.maxConcurrentRuns),
      task_run_ids,
    }
  })
}

/** What a view of runs is made with. */
export interface RunViewer {
  /** The moment it is by the clock. */
  readonly now: number
  /** Where the page of a run would be. */
  urlOf(jobId: number, runId: number): string
}

const ONLY_IN_JOBS = ['max_retries', 'min_retry_interval_millis', 'retry_on_timeout', 'disabled']

/** A run without its tasks and its history, as `list` shows it. */
export function runSummary(run: Run, viewer: RunViewer): Body {
  const last = run.taskRuns.at(-1)
  return {
    ...commonView(run, viewer),
    run_id: run.run_id,
    run_name: run.run_name,
    ...statusesOf(run, run.maxConcurrentRuns),
    ...timesOf(run, Math.max(run.at, viewer.now)),
    ...(run.tasks.length === 1 && last && { ...clusterSpec(taskOf(run, last)), ...clusterInstance(last) }),
    attempt_number: 0,
  }
}

/** The attempts at the tasks of a run. */
export function taskViews(run: Run, viewer: RunViewer): readonly Body[] {
  return run.taskRuns.map((taskRun) => taskRunView(run, taskRun, viewer))
}

/** A run with all of its tasks. */
export function runView(run: Run, viewer: RunViewer): Body {
  return { ...runSummary(run, viewer), tasks: taskViews(run, viewer) }
}

/** One attempt at a task as a run of its own. */
export function runOfTaskView(run: Run, taskRun: TaskRun, viewer: RunViewer): Body {
  const task = taskRunView(run, taskRun, viewer)
  const iterations = iterationsOf(run, taskRun, viewer)
  return {
    ...commonView(run, viewer),
    run_id: taskRun.run_id,
    run_name: taskRun.task_key,
    ...statusesOf(taskRun),
    ...timesOf(taskRun, Math.max(run.at, viewer.now)),
    ...clusterSpec(taskOf(run, taskRun)),
    ...clusterInstance(taskRun),
    attempt_number: taskRun.attempt_number,
    tasks: [task],
    ...(iterations.length > 0 && { iterations }),
    run_page_url: viewer.urlOf(run.job_id, taskRun.run_id),
  }
}

function commonView(run: Run, viewer: RunViewer): Body {
  return {
    job_id: run.job_id,
    job_run_id: run.run_id,
    number_in_job: run.run_id,
    original_attempt_run_id: run.run_id,
    creator_user_name: run.creator_user_name,
    run_page_url: viewer.urlOf(run.job_id, run.run_id),
    run_type: run.run_type,
    trigger: run.trigger,
    ...(run.parent && { trigger_info: { run_id: run.parent.run_id } }),
    queue_duration: run.queue_duration,
    format: 'MULTI_TASK',
    ...run.settings,
    ...(run.job_parameters.length > 0 && { job_parameters: run.job_parameters }),
    ...(Object.keys(run.parameters).length > 0 && { overriding_parameters: run.parameters }),
  }
}

function taskRunView(run: Run, taskRun: TaskRun, viewer: RunViewer): Body {
  const task = taskOf(run, taskRun)
  const shown = Object.entries(task).filter(([name]) => !ONLY_IN_JOBS.includes(name))
  return {
    ...Object.fromEntries(shown),
    ...conditionView(task, taskRun),
    ...loopView(task, taskRun),
    run_id: taskRun.run_id,
    task_key: taskRun.task_key,
    attempt_number: taskRun.attempt_number,
    run_page_url: viewer.urlOf(run.job_id, taskRun.run_id),
    ...statusesOf(taskRun),
    ...timesOf(taskRun, Math.max(run.at, viewer.now)),
    ...clusterInstance(taskRun),
  }
}

function taskOf(run: Run, { task_key }: TaskRun): TaskSettings {
  return run.tasks.find((task) => task.task_key === task_key) as TaskSettings
}

function conditionView(task: TaskSettings, { condition }: TaskRun): Body {
  if (condition === undefined) return {}
  return { condition_task: { ...(task['condition_task'] as Body), outcome: condition } }
}

function clusterInstance({ cluster_id, spark_context_id }: TaskRun): Body {
  if (cluster_id === undefined) return {}
  return { cluster_instance: { cluster_id, ...(spark_context_id !== undefined && { spark_context_id }) } }
}

/** What the only task of a run says of its cluster. */
function clusterSpec(task: TaskSettings): Body {
  const names = ['existing_cluster_id', 'new_cluster', 'job_cluster_key', 'libraries']
  const given = names.filter((name) => task[name] !== undefined)
  return given.length > 0 ? { cluster_spec: Object.fromEntries(given.map((name) => [name, task[name]])) } : {}
}

/** How far a task has come that runs once for each of its inputs. */
function loopView(task: TaskSettings, taskRun: TaskRun): Body {
  const loop = task['for_each_task'] as { readonly inputs?: string } | undefined
  if (!loop) return {}
  const total = inputsOf(loop.inputs).length
  const isDone = isFinal(taskRun)
  const succeeded = isDone && taskRun.ending?.result === 'SUCCESS' ? total : 0
  const stats = {
    total_iterations: total,
    scheduled_iterations: taskRun.runningSince === undefined ? 0 : total,
    active_iterations: taskRun.life === 'RUNNING' ? total : 0,
    completed_iterations: isDone ? total : 0,
    succeeded_iterations: succeeded,
    failed_iterations: isDone ? total - succeeded : 0,
  }
  return { for_each_task: { ...loop, stats: { task_run_stats: stats } } }
}

function iterationsOf(run: Run, taskRun: TaskRun, viewer: RunViewer): readonly Body[] {
  const loop = taskOf(run, taskRun)['for_each_task'] as { inputs?: string; task?: Body } | undefined
  if (!loop || taskRun.runningSince === undefined) return []
  return inputsOf(loop.inputs).map((_, index) => ({
    ...loop.task,
    task_key: `${taskRun.task_key}_iteration`,
    run_id: taskRun.run_id + index + 1,
    ...statusesOf(taskRun),
    ...timesOf(taskRun, Math.max(run.at, viewer.now)),
  }))
}
