import { hintAt, shown, snakeCase } from '../../data-files/words.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { findWhenProblem } from '../../routing/check-when.ts'
import { PLACES, type When } from '../../routing/condition.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'

const NAMES = new Map(PLACES.map((place) => [snakeCase(place), place as string]))
const KEYS = [...NAMES.keys(), 'equals']

/**
 * Reads conditions on requests: `{ header: X-Amz-Target, equals: List }`, `{ content_type: text/csv }`, or a list of
 * those that must hold together. Reports what is wrong.
 */
export function readWhen(value: unknown, place: DataPlace): When | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  let isGood = true
  const conditions = list.map((each, index) => {
    const at = Array.isArray(value) ? placeBelow(place, String(index)) : place
    const keys = isObject(each) ? Object.keys(each) : []
    const unknown = keys.find((key) => !KEYS.includes(key))
    const condition = isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([key, part]) => [NAMES.get(key) ?? key, part]))
      : each
    const wanted = findWhenProblem(condition)
    if (unknown !== undefined) at.report([unknown], `unknown key. ${hintAt(unknown, KEYS)}`)
    else if (wanted !== undefined) at.report([], `must be ${snakeCase(wanted)}, not ${shown(each)}`)
    isGood &&= unknown === undefined && wanted === undefined
    return condition
  })
  if (conditions.length === 0) place.report([], `must be ${findWhenProblem([]) ?? ''}, not ${shown(value)}`)
  if (!isGood || conditions.length === 0) return undefined
  return (Array.isArray(value) ? conditions : conditions[0]) as When
}
