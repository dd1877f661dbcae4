import yargs from 'yargs'
import { runCommand } from '../../cli/exit-code.ts'
import { runProcess } from '../../cli/run-process.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { fixtureCommand } from './fixture.ts'
import { manifestCommand } from './manifest.ts'
import { operationsCommand } from './operations.ts'
import { serveCommand } from './serve.ts'
import { validateCommand } from './validate.ts'

/**
 * The command line of an adapter: `serve`, `validate`, `fixture init`, `operations` and `manifest`.
 * Resolves with the exit code, or with nothing when it has begun to serve.
 */
export async function runAdapter<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  args: readonly string[],
): Promise<number | undefined> {
  const { name, title, packageVersion } = definition
  const cli = yargs([...args])
  cli
    .scriptName(name)
    .usage(`$0 <command>\n\nSimulate ${title} on this machine.`)
    .command(serveCommand(definition))
    .command(validateCommand(definition))
    .command(fixtureCommand(definition))
    .command(operationsCommand(definition))
    .command(manifestCommand(definition))

  const isHelp = args.some((arg) => /^(-h|--help|-v|--version)$/.test(arg))
  const goesOn = (command: string): boolean => command === 'serve' && !isHelp
  return runCommand({ cli, name, version: packageVersion, goesOn })
}

/** Runs the command line of an adapter as the process that it is. */
export async function runAdapterAsProcess<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): Promise<void> {
  await runProcess((args) => runAdapter(definition, args))
}
