import { resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { writeFileWhole } from '../../loaders/write-file.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { createManifest } from '../manifest.ts'

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
