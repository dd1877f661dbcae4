import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'
import { broken, failed, SUCCEEDED, TIMED_OUT, WORKLOAD_FAILED } from './endings.ts'
import type { Ending, Run, TaskOutcome, TaskOutcomeRule } from './run.ts'

const SETUP_MS = 5000
const DURATION_MS = 30_000

/** The declared outcomes, and how many attempts each has seen. */
export class TaskOutcomes {
  readonly #rules: readonly TaskOutcomeRule[]
  #counts: number[]

  constructor(rules: readonly TaskOutcomeRule[]) {
    this.#rules = rules
    this.#counts = rules.map(() => 0)
  }

  /** What becomes of an attempt at a task, which counts. The first rule that fits and is not used up decides. */
  draw(run: Run, task: TaskSettings, attempt: number): TaskOutcome {
    if (run.declared) return outcomeOf(run.declared[task.task_key] ?? {}, task)
    for (const [index, rule] of this.#rules.entries()) {
      if (!fits(rule, run, task, attempt)) continue
      const seen = (this.#counts[index] ?? 0) + 1
      const skip = rule.skip ?? 0
      if (seen > skip + (rule.times ?? Number.POSITIVE_INFINITY)) continue
      this.#counts[index] = seen
      if (seen > skip) return outcomeOf(rule, task)
    }
    return outcomeOf({}, task)
  }

  snapshot(): readonly number[] {
    return [...this.#counts]
  }

  restore(counts: readonly number[]): void {
    this.#counts = [...counts]
  }
}

function fits(rule: TaskOutcomeRule, run: Run, task: TaskSettings, attempt: number): boolean {
  return (
    (rule.job === undefined || rule.job === run.run_name) &&
    (rule.job_id === undefined || rule.job_id === run.job_id) &&
    (rule.task === undefined || rule.task === task.task_key) &&
    (rule.attempt === undefined || rule.attempt === attempt)
  )
}

function outcomeOf(rule: TaskOutcomeRule, task: TaskSettings): TaskOutcome {
  const { error, error_trace, logs, notebook_output, sql_output, dbt_output } = rule
  const hasFailed = rule.result !== undefined && rule.result !== 'SUCCESS'
  const given = { error, error_trace, logs, notebook_output, sql_output, dbt_output }
  const output = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return {
    ending: endingOf(rule),
    setupMs: rule.setupMs ?? SETUP_MS,
    durationMs: rule.durationMs ?? DURATION_MS,
    output: {
      ...emptyOutput(task),
      ...output,
      ...(hasFailed && error === undefined && { error: rule.message ?? WORKLOAD_FAILED }),
    },
  }
}

function endingOf({ result = 'SUCCESS', message, code }: TaskOutcomeRule): Ending {
  if (result === 'SUCCESS') return { ...SUCCEEDED, message: message ?? '' }
  if (result === 'TIMEDOUT') return { ...TIMED_OUT, ...(message !== undefined && { message }) }
  if (result === 'INTERNAL_ERROR')
    return broken(code ?? 'INTERNAL_ERROR', message ?? 'An internal error occurred.')
  return failed(message, code)
}

function emptyOutput(task: TaskSettings): Body {
  if (task['notebook_task'] !== undefined) return { notebook_output: {} }
  if (task['sql_task'] !== undefined) return { sql_output: {} }
  if (task['dbt_task'] !== undefined) return { dbt_output: {} }
  return { logs: '', logs_truncated: false }
}
