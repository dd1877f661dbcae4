import { remembered } from '../../engine/lazy.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { type FieldIssue, fieldIssues, isInvalid } from './field-issues.ts'
import type { Sample } from './sample.ts'

/** The fields of which answers say that only some texts are taken. */
export function chosenFields(samples: readonly Sample[]): ReadonlySet<string> {
  return new Set(issuesIn(samples).flatMap(({ type, field }) => (type === 'enum' ? [field] : [])))
}

/** What answers say is taken at least and at most, as keywords of JSON Schema. */
const BOUNDS: readonly (readonly [FieldIssue['type'], 'minimum' | 'maximum' | 'minLength' | 'maxLength'])[] =
  [
    ['greater_than_equal', 'minimum'],
    ['less_than_equal', 'maximum'],
    ['string_too_short', 'minLength'],
    ['string_too_long', 'maxLength'],
  ]

/** The least and the greatest number or length of each field that answers say are taken, as keywords of JSON Schema. */
export function boundedFields(samples: readonly Sample[]): ReadonlyMap<string, Schema> {
  return new Map(
    [...groupBy(issuesIn(samples), ({ field }) => field)].flatMap(([field, own]): [string, Schema][] => {
      const bounds = BOUNDS.flatMap(([type, keyword]) => {
        const bound = own.find((each) => each.type === type && each.bound !== undefined)?.bound
        return bound === undefined ? [] : [[keyword, bound]]
      })
      return bounds.length === 0 ? [] : [[field, Object.fromEntries(bounds) as Schema]]
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
