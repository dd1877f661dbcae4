import { hintAt, shown } from '../../data-files/words.ts'
import type { KnownAnswer } from '../../engine/known-answer.ts'
import { isObject } from '../../engine/schema/schema.ts'

/** Where data lies in its document, and who learns what is wrong with it. */
export interface DataPlace {
  /** The directory that paths in the data are relative to. */
  readonly directory: string
  /** Answers that were read already, by the path that the data has for them. */
  readonly answers?: ReadonlyMap<string, readonly KnownAnswer[]> | undefined
  /** @param keys the keys below the data that lead to the mistake */
  report(keys: readonly string[], message: string): void
}

/** The place of a part of the data. */
export function placeBelow({ report, ...place }: DataPlace, ...above: readonly string[]): DataPlace {
  return { ...place, report: (keys, message) => report([...above, ...keys], message) }
}

/** Says what a value must be, or nothing when it is that. */
export type Check = (value: unknown) => string | undefined

/** What the keys of an object must be; those that may be left out are `optional`. */
export interface Form {
  readonly required: Readonly<Record<string, Check>>
  readonly optional: Readonly<Record<string, Check>>
}

/** Whether a value is an object of a form. All that is wrong with it is reported. */
export function isOfForm(
  value: unknown,
  { required, optional }: Form,
  place: DataPlace,
): value is Record<string, unknown> {
  const checks: Readonly<Record<string, Check>> = { ...required, ...optional }
  const known = Object.keys(checks)
  if (!isObject(value)) {
    place.report([], `must be an object of ${known.join(', ')}, not ${shown(value)}`)
    return false
  }
  const missing = Object.keys(required).filter((key) => !Object.hasOwn(value, key))
  let wrong = missing.length
  for (const [key, each] of Object.entries(value)) {
    const message = Object.hasOwn(checks, key)
      ? checks[key]?.(each) && `must be ${checks[key](each)}, not ${shown(each)}`
      : `unknown key. ${hintAt(key, known)}`
    if (message === undefined) continue
    wrong++
    place.report([key], message)
  }
  if (missing.length > 0) place.report([], `needs ${missing.join(' and ')}`)
  return wrong === 0
}

/** Reads each item of a list. `undefined` when the value is none, or nothing can be made of an item. */
export function readItems<Item>(
  value: unknown,
  place: DataPlace,
  readItem: (item: unknown, place: DataPlace) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value)) {
    place.report([], `must be a list, not ${shown(value)}`)
    return undefined
  }
  const items = value.map((item: unknown, index) => readItem(item, placeBelow(place, String(index))))
  return items.some((item) => item === undefined) ? undefined : (items as Item[])
}
