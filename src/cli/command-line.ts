import { createRequire } from 'node:module'
import type { Argv } from 'yargs'
import { asTooDeep } from '../engine/schema/too-deep.ts'
import { SimError, UsageInvalid } from '../errors.ts'

/** A command line whose commands are known. */
export interface CommandLine {
  readonly cli: Argv
  readonly name: string
  readonly version: string
  /** Whether a command goes on after it has begun. */
  readonly goesOn: (command: string) => boolean
}

const MAX_COLUMNS = 110

/**
 * Runs the command that was given, strictly: one must be named, and nothing may be given that it does not know.
 * Resolves with the exit code, or with nothing when the command goes on.
 */
export async function runCommand({ cli, name, version, goesOn }: CommandLine): Promise<number | undefined> {
  cli
    .demandCommand(1, 'Name a command')
    .recommendCommands()
    .strict()
    .version(version)
    .alias({ help: 'h', version: 'v' })
    .wrap(Math.min(MAX_COLUMNS, cli.terminalWidth()))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageInvalid(message)
    })
  try {
    const { _: command } = await cli.parseAsync()
    return goesOn(String(command[0])) ? undefined : 0
  } catch (error) {
    return exitCodeOf(error, name)
  }
}

/** Says on stderr what ended a command; returns its exit code. @param name the command whose help helps */
function exitCodeOf(error: unknown, name: string): number {
  const usage = error instanceof UsageInvalid || isRefusedArgument(error)
  const hint = usage ? `See ${name} --help, or ${name} <command> --help.\n` : ''
  process.stderr.write(`${messageOf(error)}\n${hint}`)
  return usage ? 2 : 1
}

// A mistake of the user's takes one message; only a fault of ours shows where it happened.
function messageOf(thrown: unknown): string {
  const error = thrown instanceof Error ? asTooDeep(thrown) : thrown
  if (SimError.is(error) || isRefusedArgument(error)) return error.message
  return error instanceof Error ? `Internal error, please report it: ${error.stack}` : String(error)
}

// What an option's check throws comes back as an error of yargs's own kind.
function isRefusedArgument(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}

/**
 * Runs a command line as the process that it is.
 * @param run resolves with the exit code, or with nothing when it has begun to serve
 */
export async function runProcess(
  run: (args: readonly string[]) => Promise<number | undefined>,
): Promise<void> {
  // A reader that has seen enough, such as `head`, ends the command without a word.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  // What was loaded may have opened what would keep the process alive; a command that is done ends nevertheless.
  const code = await run(process.argv.slice(2))
  if (code !== undefined) process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/** The version of this package. */
export function version(): string {
  const { version: text } = createRequire(import.meta.url)('sim-gateway/package.json') as { version: string }
  return text
}
