import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import yargs, { type CommandModule } from 'yargs'
import { runCommand, runProcess } from '../../cli/command-line.ts'
import { table } from '../../cli/text.ts'
import { FileNotWritten } from '../../errors.ts'
import { writeFileWhole } from '../../loaders/write-file.ts'
import { createAdapter } from '../adapter.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { createManifest } from '../manifest.ts'
import { serveCommand } from './serve.ts'

interface InitFlags {
  output: string
  force: boolean
}

/** `fixture init` */
export function fixtureCommand({
  fixture: { starter },
}: Pick<AdapterDefinition<unknown, unknown>, 'fixture'>): CommandModule {
  const init: CommandModule<object, InitFlags> = {
    command: 'init',
    describe: 'Write a first fixture',
    builder: (yargs) =>
      yargs
        .option('output', { type: 'string', demandOption: true, describe: 'File to write' })
        .option('force', {
          type: 'boolean',
          default: false,
          describe: 'Replace a file that is there already',
        }),
    handler({ output, force }) {
      if (!force && existsSync(resolve(output)))
        throw new FileNotWritten(`${output} is there already; --force replaces it`)
      writeFileWhole(resolve(output), readFileSync(starter, 'utf8'))
      process.stdout.write(`Wrote ${output}\n`)
    },
  }
  return {
    command: 'fixture',
    describe: 'Write fixtures',
    builder: (yargs) => yargs.command(init).demandCommand(1, 'Name a command of fixture').strict(),
    handler: () => undefined,
  }
}

interface ManifestFlags {
  output: string | undefined
}

/** `manifest` */
export function manifestCommand<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): CommandModule<object, ManifestFlags> {
  return {
    command: 'manifest',
    describe: 'Print the compatibility manifest',
    builder: (yargs) => yargs.option('output', { type: 'string', describe: 'File to write it to' }),
    handler({ output }) {
      const text = `${JSON.stringify(createManifest(definition), null, 2)}\n`
      if (output === undefined) process.stdout.write(text)
      else writeFileWhole(resolve(output), text)
    },
  }
}

interface OperationsFlags {
  json: boolean
}

/** `operations` */
export function operationsCommand<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): CommandModule<object, OperationsFlags> {
  return {
    command: 'operations',
    describe: 'List the operations that are known, and how well each is imitated',
    builder: (yargs) =>
      yargs.option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print them as the manifest has them',
      }),
    handler({ json }) {
      const { operations } = createManifest(definition)
      const rows = operations.map(({ operationId, method, path, supportLevel }) => [
        method,
        path,
        supportLevel,
        operationId,
      ])
      process.stdout.write(
        json
          ? `${JSON.stringify(operations, null, 2)}\n`
          : table(['method', 'path', 'support', 'operation'], rows),
      )
    },
  }
}

interface ValidateFlags {
  fixture: string
  strict: boolean
}

/** `validate <fixture>` */
export function validateCommand<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): CommandModule<object, ValidateFlags> {
  return {
    command: 'validate <fixture>',
    describe: 'Check a fixture file by every rule',
    builder: (yargs) =>
      yargs
        .positional('fixture', { type: 'string', demandOption: true, describe: 'YAML or JSON file' })
        .option('strict', { type: 'boolean', default: false, describe: 'Refuse unknown fields' }),
    handler({ fixture, strict }) {
      createAdapter(definition, { fixture, strict } as Config)
      process.stdout.write(`${fixture} is valid\n`)
    },
  }
}

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
