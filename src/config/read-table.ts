import type { Check } from './checks.ts'
import { isTable, type Unplaced } from '../data-files/data-file.ts'
import { nameOf, shown, snakeCase, unknownKey } from '../data-files/words.ts'

/** Something that a part of its own has to say about a value. */
export interface OwnProblem {
  /** Keys and indexes that lead to it. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What the value of a key must be. */
export type Spec =
  | Check
  /** Keys and values of their own. */
  | { readonly table: Specs; readonly wanted?: string }
  /** A list of such tables. */
  | { readonly each: Specs; readonly needs?: readonly string[] }
  /** Values by names that are the user's, such as headers. */
  | { readonly values: Check }
  /** Judged by another part, which gets the value as it is. */
  | { readonly own: (value: unknown) => readonly OwnProblem[] }

/** The keys of a table, by their names in code. */
export type Specs = Readonly<Record<string, Spec>>

/** A table's values by their names in code, and all that is wrong with them. */
export interface ReadTable {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly Unplaced[]
}

/**
 * Reads a table whose keys are snake_case.
 * @param at the keys that lead to the table in its file
 */
export function readTable(table: unknown, specs: Specs, at: readonly string[]): ReadTable {
  const problems: Unplaced[] = []
  const tell: Tell = (keys, message) => void problems.push({ keys: [...at, ...keys], message })
  if (isTable(table)) return { values: readEntries(table, specs, [], tell), problems }
  tell([], `the options must be keys with values, not ${shown(table)}`)
  return { values: {}, problems }
}

type Keys = readonly string[]
type Tell = (keys: Keys, message: string) => void

function readEntries(entries: object, specs: Specs, above: Keys, tell: Tell): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const names = new Map(Object.keys(specs).map((name) => [snakeCase(name), name]))
  for (const [key, value] of Object.entries(entries)) {
    const [keys, name = ''] = [[...above, key], names.get(key)]
    const spec = specs[name]
    const read = spec === undefined ? undefined : readValue(value, spec, keys, tell)
    if (spec === undefined) tell(keys, unknownKey(keys, [...names.keys()]))
    else if (read !== undefined) values[name] = read
  }
  return values
}

/** The value as the spec reads it; `undefined` where it cannot be, which was told then. */
function readValue(value: unknown, spec: Spec, keys: Keys, tell: Tell): unknown {
  if (typeof spec === 'function') return isWanted(value, spec(value), keys, tell) ? value : undefined
  if ('own' in spec) return readOwn(value, spec.own(value), keys, tell)
  if ('each' in spec) return readList(value, spec.each, spec.needs ?? [], keys, tell)
  const wanted = ('wanted' in spec ? spec.wanted : undefined) ?? 'keys with values'
  if (!isTable(value)) return void isWanted(value, wanted, keys, tell)
  if ('table' in spec) return readEntries(value, spec.table, keys, tell)
  for (const [key, each] of Object.entries(value)) isWanted(each, spec.values(each), [...keys, key], tell)
  return value
}

function readOwn(value: unknown, problems: readonly OwnProblem[], keys: Keys, tell: Tell): unknown {
  for (const { path, message } of problems) {
    const place = [...keys, ...path.map(String)]
    tell(place, `${nameOf(place)}: ${message}`)
  }
  return problems.length === 0 ? value : undefined
}

function readList(value: unknown, specs: Specs, needs: readonly string[], keys: Keys, tell: Tell): unknown {
  if (!Array.isArray(value)) return void isWanted(value, 'a list', keys, tell)
  return value.map((item: unknown, index) => {
    const place = [...keys, String(index)]
    if (!isTable(item)) return void isWanted(item, 'keys with values', place, tell)
    const missing = needs.map(snakeCase).filter((need) => !(need in item))
    for (const need of missing) tell(place, `${nameOf(place)} must have a key '${need}'`)
    return readEntries(item, specs, place, tell)
  })
}

function isWanted(value: unknown, wanted: string | undefined, keys: Keys, tell: Tell): boolean {
  if (wanted !== undefined) tell(keys, `${nameOf(keys)} must be ${snakeCase(wanted)}, not ${shown(value)}`)
  return wanted === undefined
}
