import { invalid } from '../errors.ts'
import type { Body } from '../fields.ts'

/** The arrays that are merged entry by entry, and what tells their entries apart. */
const KEYS: Readonly<Record<string, string>> = {
  tasks: 'task_key',
  job_clusters: 'job_cluster_key',
  environments: 'environment_key',
  parameters: 'name',
}

/** Settings with others on top: fields are replaced whole, but arrays keep the entries that are not named. */
export function mergeSettings(settings: Body, changes: Body): Body {
  const merged: Record<string, unknown> = { ...settings, ...changes }
  for (const [field, key] of Object.entries(KEYS)) {
    const [present, wanted] = [settings[field], changes[field]]
    if (Array.isArray(present) && Array.isArray(wanted))
      merged[field] = mergeByKey(present as Body[], wanted as Body[], key)
  }
  return merged
}

/** Settings without the fields of some paths, such as `schedule` or `tasks/load`; what is not there is ignored. */
export function removeFields(settings: Body, paths: readonly unknown[]): Body {
  const result: Record<string, unknown> = { ...settings }
  for (const path of paths) {
    if (typeof path !== 'string') throw invalid('fields_to_remove must be a list of strings.')
    const [field = '', ...rest] = path.split('/')
    const [key, entry] = [KEYS[field], rest.join('/')]
    if (rest.length === 0) delete result[field]
    else if (key === undefined)
      throw invalid(
        `'${path}' cannot be removed: only whole fields and entries of ${Object.keys(KEYS).join(', ')} can.`,
      )
    else result[field] = ((result[field] as Body[] | undefined) ?? []).filter((each) => each[key] !== entry)
  }
  return result
}

function mergeByKey(present: readonly Body[], wanted: readonly Body[], key: string): Body[] {
  const byKey = new Map(present.map((entry) => [entry[key], entry]))
  for (const entry of wanted) byKey.set(entry[key], entry)
  return [...byKey.values()]
}
