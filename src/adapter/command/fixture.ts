import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { writeFileWhole } from '../../loaders/write-file.ts'
import { FileNotWritten } from '../../errors.ts'
import type { AdapterDefinition } from '../definition.ts'

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
