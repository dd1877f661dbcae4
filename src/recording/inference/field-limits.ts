import { remembered } from '../../engine/lazy.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { type FieldIssue, fieldIssues, isInvalid } from './field-issues.ts'
import type { Sample } from './sample.ts'

/** The fields of which answers say that only some texts are taken. */
export function chosenFields(samples: readonly Sample[]): ReadonlySet<string> {
  return new Set(issuesIn(samples).flatMap(({ type, field }) => (type === 'enum' ? [field] : [])))
}

/** The least and the greatest number of each field that answers say are taken, as keywords of JSON Schema. */
export function boundedFields(
  samples: readonly Sample[],
): ReadonlyMap<string, { readonly minimum?: number; readonly maximum?: number }> {
  return new Map(
    [...groupBy(issuesIn(samples), ({ field }) => field)].flatMap(([field, own]) => {
      const boundAs = (type: FieldIssue['type']): number | undefined =>
        own.find((each) => each.type === type && each.bound !== undefined)?.bound
      const [minimum, maximum] = [boundAs('greater_than_equal'), boundAs('less_than_equal')]
      if (minimum === undefined && maximum === undefined) return []
      return [
        [field, { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }],
      ]
    }),
  )
}

/** Whether answers say that a field is not taken which no request had that succeeded, and which no item has. */
export function isClosed(samples: readonly Sample[]): boolean {
  const shown = new Set(
    samples.flatMap(({ status, response }) =>
      status < 300 && isObject(response) ? Object.keys(response) : [],
    ),
  )
  return issuesIn(samples).some(({ type, field }) => type === 'extra_forbidden' && !shown.has(field))
}

// To compare a refused request with all others takes long, and all that is learned of a path is learned of the same.
const issuesIn = remembered(
  (samples: readonly Sample[]) => samples.filter(isInvalid).flatMap((sample) => fieldIssues(sample, samples)),
  new WeakMap<readonly Sample[], readonly FieldIssue[]>(),
)
