import type { Body } from '../fields.ts'
import type { Living, Run } from './run.ts'

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
