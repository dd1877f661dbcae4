import type { Argv, CommandModule } from 'yargs'
import { FLAG, type Option, type OptionTable } from '../pipeline/option.ts'
import { addShownFlags, flagsIn } from './flags.ts'

/** What a command was given: the values of its arguments and flags by their names. */
export type Given = Readonly<Record<string, unknown>>

/** One command. Help, completion and the reference page say of it what is said here. */
export interface Command {
  /** Its name and its arguments, such as `run <target>`. */
  readonly command: string
  readonly describe: string
  /** What each argument is: one in angle brackets is needed, one in square brackets is not. */
  readonly positionals?: OptionTable
  readonly flags?: readonly OptionTable[]
  /** Command lines, and what each does. */
  readonly examples?: readonly (readonly [line: string, meaning: string])[]
  /** Whether `--` and a command of the user's may come last, which runs within it. */
  readonly takesCommand?: true
  /** The commands below it, one of which has to be named. */
  readonly commands?: readonly Command[]
  /** The message where none of them is named. */
  readonly missing?: string
  run?(given: Given): void | Promise<void>
}

// More than can be looked through at once.
const MANY_FLAGS = 24

/**
 * A command in the form that the command line takes it.
 * @param showsAll whether help lists all flags of one that has many
 * @param parent the command that it is one of
 */
export function toModule(own: Command, showsAll = false, parent = 'sim'): CommandModule<object, Given> {
  const { command, describe, positionals = {}, flags = [], examples = [], commands = [], missing } = own
  const name = `${parent} ${command.split(' ')[0]}`
  return {
    command,
    describe,
    builder: (yargs) => {
      for (const [positional, option] of Object.entries(positionals))
        yargs.positional(positional, positionalOf(option, command.includes(`<${positional}>`)))
      const all = flagsIn(flags)
      const isShort = !showsAll && all.length > MANY_FLAGS
      addShownFlags(yargs, ({ isCommon }) => !isShort || isCommon === true, flags)
      if (isShort)
        yargs.epilogue(`These are the most used of ${all.length} options: ${name} --help all lists them all.`)
      for (const [line, meaning] of examples) yargs.example(line, meaning)
      if (commands.length > 0)
        yargs.command(commands.map((each) => toModule(each, showsAll, name))).demandCommand(1, missing ?? '')
      return yargs
    },
    handler: (given) => own.run?.(given),
  }
}

function positionalOf(option: Option, isNeeded: boolean): Parameters<Argv['positional']>[1] {
  const isNumber = 'schema' in option && /number|integer/.test(String(option.schema?.['type']))
  return {
    type: isNumber ? 'number' : 'string',
    demandOption: isNeeded,
    ...(option.default !== undefined && { default: option.default }),
    describe: option.describe ?? '',
  }
}

/** The flag of commands that print JSON for other programs, where they are given it. */
export const JSON_FLAG = toggle('json', 'Print JSON')

/** A flag that is off where it is not given. */
export function toggle(name: string, describe: string, alias?: string): Option {
  return { ...FLAG, flag: { name, describe, otherwise: 'false', ...(alias !== undefined && { alias }) } }
}

/** What is printed besides the result, and in which form the result is. */
export interface OutputFlags {
  readonly json: boolean | undefined
  readonly quiet: boolean | undefined
}

/** `--json` and `--quiet` */
export const OUTPUT_FLAGS: Readonly<Record<keyof OutputFlags, Option>> = {
  json: JSON_FLAG,
  quiet: toggle('quiet', 'Say nothing of progress', 'q'),
}
