import type { Argv, Options } from 'yargs'
import { shown } from '../data-files/words.ts'
import { OptionInvalid, UsageInvalid } from '../errors.ts'
import { findWanted } from '../options/check.ts'
import type { Flag, Option, OptionTable } from '../pipeline/option.ts'

/** Adds the flags of some tables of options, and of the tables within them. */
export function addFlags<T>(yargs: Argv<T>, ...tables: readonly OptionTable[]): Argv<T> {
  return addShownFlags(yargs, () => true, tables)
}

/** The same, of which help shows some. */
export function addShownFlags<T>(
  yargs: Argv<T>,
  isShown: (flag: Flag) => boolean,
  tables: readonly OptionTable[],
): Argv<T> {
  for (const { option, flag } of flagsIn(tables))
    yargs.option(flag.name, { ...settingsOf(option, flag), hidden: !isShown(flag) })
  return yargs
}

interface FlaggedOption {
  readonly option: Option
  readonly flag: Flag
}

/** The flags of some tables, and of the tables within them, each once. */
export function flagsIn(tables: readonly OptionTable[]): readonly FlaggedOption[] {
  const all = tables.flatMap((table) =>
    Object.values(table).flatMap((option): readonly FlaggedOption[] => [
      ...('table' in option ? flagsIn([option.table]) : []),
      ...(option.flag === undefined ? [] : [{ option, flag: option.flag }]),
    ]),
  )
  return [...new Map(all.map((each) => [each.flag.name, each])).values()]
}

/**
 * The options that flags give, nested as their table is; `undefined` or an empty list where a flag was not given.
 * @throws UsageInvalid for a value that cannot be
 */
export function readFlags<Values>(given: object, table: Readonly<Record<keyof Values, Option>>): Values {
  const args = given as Readonly<Record<string, unknown>>
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries<Option>(table)) {
    if ('table' in option) values[name] = readFlags(given, option.table)
    if (option.flag !== undefined) values[name] = readFlag(args[option.flag.name], option, option.flag)
  }
  return values as Values
}

function readFlag(value: unknown, option: Option, { name, accept, read, form }: Flag): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return value
  if (read !== undefined) return read(value as never)
  if (accept === undefined) checkFlag(name, value, form ?? option)
  else asUsage(() => accept(`--${name}`, value as never))
  return value
}

/** @throws UsageInvalid for a value that the option cannot have */
export function checkFlag(name: string, value: unknown, option: Option): void {
  const wanted = findWanted(value, option)
  const quoted = option.secret === true ? '' : `, not ${shown(value)}`
  if (wanted !== undefined) throw new UsageInvalid(`--${name} must be ${wanted}${quoted}`)
}

/** Does what takes the values of flags. @throws UsageInvalid for one that cannot be */
export function asUsage<Result>(take: () => Result): Result {
  try {
    return take()
  } catch (error) {
    throw error instanceof OptionInvalid ? new UsageInvalid(error.message, { cause: error }) : error
  }
}

function settingsOf(option: Option, flag: Flag): Options {
  const { schema } = flag.form ?? ('schema' in option ? option : {})
  const { type, enum: choices } = schema ?? {}
  const isList = flag.as === undefined && type === 'array'
  const kind = type === 'integer' ? 'number' : type
  return {
    type: flag.as ?? (kind === 'boolean' || kind === 'number' ? kind : 'string'),
    ...(isList && { array: true, default: [] }),
    ...(Array.isArray(choices) && { choices: choices as string[] }),
    ...(flag.alias !== undefined && { alias: flag.alias }),
    ...(flag.otherwise !== undefined && { defaultDescription: flag.otherwise }),
    ...(option.group !== undefined && { group: `${option.group}:` }),
    requiresArg: flag.requiresArg === true,
    demandOption: flag.required === true,
    describe: flag.describe ?? option.describe?.replace(/\.$/, '') ?? '',
  }
}
