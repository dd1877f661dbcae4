import { invalid } from '../errors.ts'
import type { Body } from '../fields.ts'
import { runOfTaskView, type RunViewer } from './run-view.ts'
import { isFinal, type Run, type TaskRun } from './run.ts'

const MOST_BYTES = 5 * 1024 * 1024

const WHOLE_RUN =
  'Retrieving the output of runs with multiple tasks is not supported. Please retrieve the output of each individual task run instead.'

/**
 * What an attempt at a task has put out, once it has ended.
 * @throws AdapterFault for a run as a whole, as the service does even where it has one task only
 */
export function outputOf(run: Run, taskRun: TaskRun | undefined, viewer: RunViewer): Body {
  if (!taskRun) throw invalid(WHOLE_RUN)
  return { metadata: runOfTaskView(run, taskRun, viewer), ...(isFinal(taskRun) && contentOf(taskRun)) }
}

function contentOf({ ending, outcome, forced, child }: TaskRun): Body {
  if (child !== undefined) return { run_job_output: { run_id: child } }
  if (forced || outcome === undefined) return { error: ending?.message ?? '' }
  const isOwnEnd = ending?.result === outcome.ending.result
  return capped(isOwnEnd ? outcome.output : { error: ending?.message ?? '' })
}

/** The service returns the first 5 MB of a result. */
function capped(output: Body): Body {
  const notebook = output['notebook_output'] as { readonly result?: string } | undefined
  const result = notebook?.result
  if (result === undefined) return output
  const isTooLong = Buffer.byteLength(result) > MOST_BYTES
  const shown = isTooLong ? Buffer.from(result).subarray(0, MOST_BYTES).toString() : result
  return {
    ...output,
    notebook_output: { truncated: false, ...notebook, result: shown, ...(isTooLong && { truncated: true }) },
  }
}

/** The page that a notebook's run is exported as. */
export function exportOf(run: Run, given: TaskRun | undefined, views: string): Body {
  const taskRun = given ?? (run.tasks.length === 1 ? run.taskRuns.at(-1) : undefined)
  if (!taskRun) throw invalid(WHOLE_RUN)
  const task = run.tasks.find(({ task_key }) => task_key === taskRun.task_key)
  const notebook = task?.['notebook_task'] as { readonly notebook_path?: string } | undefined
  if (!notebook) throw invalid(`Run ${taskRun.run_id} is not a run of a notebook and cannot be exported.`)
  if (views === 'DASHBOARDS') return {}
  const name = notebook.notebook_path?.split('/').at(-1) ?? ''
  const title = name.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return {
    views: [
      {
        type: 'NOTEBOOK',
        name,
        content: `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body></body>\n</html>\n`,
      },
    ],
  }
}
