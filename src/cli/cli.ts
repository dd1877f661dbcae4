import yargs from 'yargs'
import { SimError, UsageInvalid } from '../sim-error.ts'
import { ca } from './ca.ts'
import { chaos } from './chaos.ts'
import { exportCommand } from './export.ts'
import { fixtures } from './fixtures.ts'
import { init } from './init.ts'
import { proxy } from './proxy.ts'
import { recordings } from './recording/recordings.ts'
import { run } from './run.ts'
import { validate } from './validate.ts'
import { version } from './version.ts'

/** The commands that go on after they have begun. */
const SERVING = new Set(['run', 'proxy'])
const MOST_COLUMNS = 110

/** Runs one command. Resolves with its exit code, or with nothing when it has begun to serve. */
export async function sim(args: readonly string[]): Promise<number | undefined> {
  const cli = yargs([...args])
  cli
    .scriptName('sim')
    .usage('$0 <command>\n\nAnswer declared routes, forward the rest, inject faults, record what passes.')
    .command(run)
    .command(proxy)
    .command(validate)
    .command(init)
    .command(exportCommand)
    .command(chaos)
    .command(ca)
    .command(recordings)
    .command(fixtures)
    .example('$0 init', 'Write a first app.ts')
    .example('$0 run app.ts', 'Serve it on port 8000')
    .example('$0 proxy --upstream http://127.0.0.1:3000 --routes app.ts', 'Serve it in front of a server')
    .epilogue('sim <command> --help lists the options and examples of a command.')
    .demandCommand(1, 'Name a command')
    .recommendCommands()
    .strict()
    .version(version())
    .alias({ help: 'h', version: 'v' })
    .wrap(Math.min(MOST_COLUMNS, cli.terminalWidth()))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageInvalid(message)
    })

  try {
    const { _: command } = await cli.parseAsync()
    return SERVING.has(String(command[0])) ? undefined : 0
  } catch (error) {
    const usage = error instanceof UsageInvalid || isRefusedArgument(error)
    process.stderr.write(`${messageOf(error)}\n${usage ? 'See sim --help, or sim <command> --help.\n' : ''}`)
    return usage ? 2 : 1
  }
}

// A mistake of the user's is told in one message; only a fault of ours shows where it happened.
function messageOf(error: unknown): string {
  if (SimError.is(error) || isRefusedArgument(error)) return error.message
  return error instanceof Error ? `Internal error, please report it: ${error.stack}` : String(error)
}

// What an option's check throws comes back as an error of yargs's own kind.
function isRefusedArgument(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}
