import { invalid } from '../errors.ts'
import type { TaskSettings } from './job.ts'

type Node = Pick<TaskSettings, 'task_key' | 'depends_on'>

/** Checks that task keys are unique, that dependencies exist, and that none leads back to itself. */
export function checkGraph(tasks: readonly Node[]): void {
  const byKey = new Map<string, Node>()
  for (const task of tasks) {
    if (byKey.has(task.task_key)) throw invalid(`The task key '${task.task_key}' is used more than once.`)
    byKey.set(task.task_key, task)
  }
  for (const { task_key, depends_on = [] } of tasks)
    for (const { task_key: wanted } of depends_on)
      if (!byKey.has(wanted))
        throw invalid(`Task '${task_key}' depends on '${wanted}', which does not exist.`)
  checkOrder(tasks)
}

/** Takes away tasks that wait for no other, again and again: what is left waits in a circle. */
function checkOrder(tasks: readonly Node[]): void {
  const waiting = new Map(tasks.map(({ task_key, depends_on = [] }) => [task_key, depends_on.length]))
  const followers = followersOf(tasks)
  const free = tasks.filter(({ depends_on = [] }) => depends_on.length === 0).map(({ task_key }) => task_key)
  for (let key = free.pop(); key !== undefined; key = free.pop()) {
    waiting.delete(key)
    for (const follower of followers.get(key) ?? []) {
      const left = (waiting.get(follower) ?? 0) - 1
      waiting.set(follower, left)
      if (left === 0) free.push(follower)
    }
  }
  if (waiting.size > 0)
    throw invalid(`The tasks ${[...waiting.keys()].join(', ')} depend on each other in a circle.`)
}

/** The keys of the tasks that depend on each task. */
export function followersOf(tasks: readonly Node[]): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>()
  for (const { task_key, depends_on = [] } of tasks)
    for (const { task_key: wanted } of depends_on) {
      const present = followers.get(wanted)
      if (present) present.push(task_key)
      else followers.set(wanted, [task_key])
    }
  return followers
}
