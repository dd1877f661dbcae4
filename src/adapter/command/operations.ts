import type { CommandModule } from 'yargs'
import { table } from '../../cli/table.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { createManifest } from '../manifest.ts'

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
