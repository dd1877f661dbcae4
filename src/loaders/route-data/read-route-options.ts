import { findRouteChaosProblems, readRouteChaos } from '../../../plugins/chaos/read-rules.ts'
import { hintAt, shown, snakeCase } from '../../data-files/words.ts'
import type { RouteChaos } from '../../engine/chaos-rule.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { findWanted } from '../../options/check.ts'
import { ROUTE_OPTIONS } from '../../options/route-options.ts'
import type { Option } from '../../pipeline/option.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'
import {
  readCallModel,
  readErrorCases,
  readKnownAnswers,
  readPageTable,
  readScenario,
} from './read-answers.ts'
import { readWhen } from './read-when.ts'

/** Reads one option; reports what is wrong with it and gives `undefined` when it cannot. */
export type ReadOption = (value: unknown, place: DataPlace) => unknown

/** The options of a route but for its models, which are read by those who know where models are. */
type PlainOptions = Omit<RouteOptions, 'input' | 'output'>

const { input: _input, output: _output, ...PLAIN } = ROUTE_OPTIONS

const READERS: Readonly<Record<keyof PlainOptions, ReadOption>> = {
  ...(Object.fromEntries(Object.entries(PLAIN).map(([name, option]) => [name, checked(option)])) as Record<
    keyof PlainOptions,
    ReadOption
  >),
  errors: readErrorCases,
  pageTable: readPageTable,
  answers: readKnownAnswers,
  chaos: readChaos,
  calls: readCallModel,
  requires: readWhen,
  scenario: readScenario,
  when: readWhen,
}

/** The options by the names they have in data. */
export const OPTION_NAMES: ReadonlyMap<string, keyof PlainOptions> = new Map(
  Object.keys(READERS).map((name) => [snakeCase(name), name as keyof PlainOptions]),
)

/**
 * Reads a route's options from data, whose names are in snake_case. Whatever is wrong is reported, and left out.
 * @param models readers of further options, by their names
 */
export function readRouteOptions(
  data: unknown,
  place: DataPlace,
  models: Readonly<Record<string, ReadOption>> = {},
): RouteOptions {
  if (!isObject(data)) {
    place.report([], `must be options with values, not ${shown(data)}`)
    return {}
  }
  const options: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data)) {
    const name = OPTION_NAMES.get(key)
    const read = name === undefined ? own(models, key) : READERS[name]
    if (read === undefined) {
      place.report(
        [key],
        `no such option. ${hintAt(key, [...Object.keys(models), ...OPTION_NAMES.keys()], 'Options')}`,
      )
      continue
    }
    const option = read(value, placeBelow(place, key))
    if (option !== undefined) options[name ?? key] = option
  }
  return options
}

function readChaos(value: unknown, place: DataPlace): RouteChaos | undefined {
  const problems = findRouteChaosProblems(value)
  for (const { path, message } of problems) place.report(path.map(String), message)
  return problems.length === 0 ? readRouteChaos(value) : undefined
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function checked(option: Option): ReadOption {
  return (value, place) => {
    const wanted = findWanted(value, option)
    if (wanted === undefined) return value
    place.report([], `must be ${wanted}, not ${shown(value)}`)
    return undefined
  }
}
