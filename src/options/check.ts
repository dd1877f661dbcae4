import { isTable, type Unplaced } from '../data-files/data-file.ts'
import { hintAt, nameOf, shown, snakeCase, unknownKey } from '../data-files/words.ts'
import type { Option, OptionTable, PlacedMessage } from '../pipeline/option.ts'

/** What is wrong with options given in code. */
interface ValueProblem {
  /** The name of an option that there is not. */
  readonly unknown?: string
  readonly message: string
}

/** The first thing wrong with options given in code; `undefined` when nothing is. An option may be left undefined. */
export function findValueProblem(options: object, table: OptionTable): ValueProblem | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(table, name))
  if (unknown !== undefined)
    return {
      unknown,
      message: `there is no option '${unknown}'. ${hintAt(unknown, Object.keys(table), 'Options')}`,
    }
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const option = table[name]
    const wanted = value === undefined || option === undefined ? undefined : findWanted(value, option)
    if (wanted !== undefined) return { message: `${name} must be ${wanted}, not ${describe(value)}` }
  }
  return undefined
}

/** What the value of an option must be, for a message; `undefined` when it is that. */
export function findWanted(value: unknown, option: Option): string | undefined {
  if ('check' in option) return option.check(value)
  if ('judge' in option) return option.judge(value)[0]?.message.replace(/^must be /, '')
  if ('values' in option) return isTable(value) ? undefined : 'keys with values'
  if ('each' in option) return Array.isArray(value) ? undefined : 'a list'
  const isGood = isTable(value) && findValueProblem(value, option.table) === undefined
  return isGood ? undefined : (option.wanted ?? 'keys with values')
}

function describe(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value)?.slice(0, 80) ?? String(value))
}

/** A table's values by their names in code, and all that is wrong with them. */
interface ReadTable {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly Unplaced[]
}

/**
 * Reads options from a file, whose keys are snake_case.
 * @param at the keys that lead to them in the file
 */
export function readTable(value: unknown, table: OptionTable, at: readonly string[]): ReadTable {
  const problems: Unplaced[] = []
  const report: Report = (keys, message) => void problems.push({ keys: [...at, ...keys], message })
  if (isTable(value)) return { values: readEntries(value, table, [], report), problems }
  report([], `the options must be keys with values, not ${shown(value)}`)
  return { values: {}, problems }
}

type Keys = readonly string[]
type Report = (keys: Keys, message: string) => void

function readEntries(
  entries: object,
  table: OptionTable,
  above: Keys,
  report: Report,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const names = new Map(Object.keys(table).map((name) => [snakeCase(name), name]))
  for (const [key, value] of Object.entries(entries)) {
    const [keys, name = ''] = [[...above, key], names.get(key)]
    const option = table[name]
    const read = option === undefined ? undefined : readValue(value, option, keys, report)
    if (option === undefined) report(keys, unknownKey(keys, [...names.keys()]))
    else if (read !== undefined) values[name] = read
  }
  return values
}

/** The value as the option has it; `undefined` where it cannot be, which is reported. */
function readValue(value: unknown, option: Option, keys: Keys, report: Report): unknown {
  const accept = (wanted: string | undefined, each = value, place = keys): boolean => {
    const given = option.secret === true ? '' : `, not ${shown(each)}`
    if (wanted !== undefined) report(place, `${nameOf(place)} must be ${snakeCase(wanted)}${given}`)
    return wanted === undefined
  }
  if ('check' in option) return accept(option.check(value)) ? value : undefined
  if ('judge' in option) return readJudged(value, option.judge(value), keys, report)
  if ('each' in option)
    return accept(Array.isArray(value) ? undefined : 'a list')
      ? (value as unknown[]).map((item, index) => readItem(item, option, [...keys, String(index)], report))
      : undefined
  const wanted = 'table' in option ? option.wanted : undefined
  if (!isTable(value)) return void accept(wanted ?? 'keys with values')
  if ('table' in option) return readEntries(value, option.table, keys, report)
  for (const [key, each] of Object.entries(value)) accept(option.values.check(each), each, [...keys, key])
  return value
}

function readItem(
  item: unknown,
  { each, needs = [] }: { readonly each: OptionTable; readonly needs?: readonly string[] },
  place: Keys,
  report: Report,
): unknown {
  if (!isTable(item)) return report(place, `${nameOf(place)} must be keys with values, not ${shown(item)}`)
  const missing = needs.map(snakeCase).filter((need) => !(need in item))
  for (const need of missing) report(place, `${nameOf(place)} must have a key '${need}'`)
  return readEntries(item, each, place, report)
}

function readJudged(value: unknown, problems: readonly PlacedMessage[], keys: Keys, report: Report): unknown {
  for (const { path, message } of problems) {
    const place = [...keys, ...path.map(String)]
    report(place, `${nameOf(place)}: ${message}`)
  }
  return problems.length === 0 ? value : undefined
}
