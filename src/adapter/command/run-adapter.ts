import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import yargs from 'yargs'
import { runCommand, runProcess } from '../../cli/command-line.ts'
import { table } from '../../cli/text.ts'
import { FileNotWritten } from '../../errors.ts'
import { writeFileWhole } from '../../loaders/write-file.ts'
import { createAdapter } from '../adapter.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { createManifest } from '../manifest.ts'
import { addServe } from './serve.ts'

/**
 * The command line of an adapter: `serve`, `validate`, `fixture init`, `operations` and `manifest`.
 * Resolves with the exit code, or with nothing when it has begun to serve.
 */
export async function runAdapter<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  args: readonly string[],
): Promise<number | undefined> {
  const { name, title, packageVersion, fixture: format } = definition
  const cli = yargs([...args])
    .scriptName(name)
    .usage(`$0 <command>\n\nSimulate ${title} on this machine.`)
  addServe(cli, definition)
  cli
    .command(
      'validate <fixture>',
      'Check a fixture file by every rule',
      (command) =>
        command
          .positional('fixture', { type: 'string', demandOption: true, describe: 'YAML or JSON file' })
          .option('strict', { type: 'boolean', default: false, describe: 'Refuse unknown fields' }),
      ({ fixture, strict }) => {
        createAdapter(definition, { fixture, strict } as Config)
        process.stdout.write(`${fixture} is valid\n`)
      },
    )
    .command('fixture', 'Write fixtures', (command) =>
      command
        .command(
          'init',
          'Write a first fixture',
          {
            output: { type: 'string', demandOption: true, describe: 'File to write' },
            force: { type: 'boolean', default: false, describe: 'Replace a file that is there already' },
          },
          ({ output, force }) => {
            if (!force && existsSync(resolve(output)))
              throw new FileNotWritten(`${output} is there already; --force replaces it`)
            writeFileWhole(resolve(output), readFileSync(format.starter, 'utf8'))
            process.stdout.write(`Wrote ${output}\n`)
          },
        )
        .demandCommand(1, 'Name a command of fixture')
        .strict(),
    )
    .command(
      'operations',
      'List the operations that are known, and how well each is imitated',
      { json: { type: 'boolean', default: false, describe: 'Print them as the manifest has them' } },
      ({ json }) => {
        const { operations } = createManifest(definition)
        const rows = operations.map((each) => [each.method, each.path, each.supportLevel, each.operationId])
        process.stdout.write(
          json ? textOf(operations) : table(['method', 'path', 'support', 'operation'], rows),
        )
      },
    )
    .command(
      'manifest',
      'Print the compatibility manifest',
      { output: { type: 'string', describe: 'File to write it to' } },
      ({ output }) => {
        const text = textOf(createManifest(definition))
        if (output === undefined) process.stdout.write(text)
        else writeFileWhole(resolve(output), text)
      },
    )

  const isHelp = args.some((arg) => /^(-h|--help|-v|--version)$/.test(arg))
  const goesOn = (command: string): boolean => command === 'serve' && !isHelp
  return runCommand({ cli, name, version: packageVersion, goesOn })
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Runs the command line of an adapter as the process that it is. */
export async function runAdapterAsProcess<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): Promise<void> {
  await runProcess((args) => runAdapter(definition, args))
}
