import type { CommandModule } from 'yargs'
import { createAdapter } from '../adapter.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'

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
