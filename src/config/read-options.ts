import { isTable, type ConfigSource, type LineProblem } from './config-source.ts'
import { shown, snakeCase, unknownKey } from './keys.ts'
import { OPTION_CHECKS, STORE_CHECKS, type Check, type SimOptions } from './sim-options.ts'

/** The options of a file and all that is wrong with them. */
export interface ReadOptions {
  readonly options: SimOptions
  readonly problems: readonly LineProblem[]
}

type Checks = Readonly<Record<string, Check>>

// A file cannot name another one.
const { configPath: _configPath, ...FILE_CHECKS }: Checks = OPTION_CHECKS
const NESTED: Readonly<Record<string, Checks>> = { store: STORE_CHECKS }

/**
 * Reads a table's snake_case keys as options.
 * @param at the keys that lead to the table in its file
 */
export function readOptions(table: unknown, source: ConfigSource, at: readonly string[]): ReadOptions {
  const problems: LineProblem[] = []
  const tell = (keys: readonly string[], message: string): void => {
    problems.push({ line: source.lineOf([...at, ...keys]), message })
  }

  const readTable = (entries: object, checks: Checks, above: readonly string[]): SimOptions => {
    const options: Record<string, unknown> = {}
    const known = new Map(Object.keys(checks).map((name) => [snakeCase(name), name]))
    for (const [key, value] of Object.entries(entries)) {
      const [keys, name] = [[...above, key], known.get(key)]
      // What editors check the file against.
      if (key === '$schema' && above.length === 0) continue
      if (name === undefined) tell(keys, unknownKey(keys, [...known.keys()]))
      else if (NESTED[name] !== undefined && isTable(value))
        options[name] = readTable(value, NESTED[name], keys)
      else {
        const wanted = checks[name]?.(value)
        if (wanted === undefined) options[name] = value
        else tell(keys, `${keys.join('.')} must be ${snakeCase(wanted)}, not ${shown(value)}`)
      }
    }
    return options
  }
  if (!isTable(table)) {
    tell([], `the options must be keys with values, not ${shown(table)}`)
    return { options: {}, problems }
  }
  return { options: readTable(table, FILE_CHECKS, []), problems }
}
