import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { writeFileWhole } from '../loaders/write-file.ts'
import { FileNotWritten } from '../errors.ts'
import { scaffold } from './scaffold.ts'

interface InitOptions {
  directory: string
  config: boolean
  data: boolean
  force: boolean
}

/** `sim init [directory]` */
export const init: CommandModule<object, InitOptions> = {
  command: 'init [directory]',
  describe: 'Write a first app that runs as it is',
  builder: (yargs) =>
    yargs
      .positional('directory', { type: 'string', default: '.', describe: 'Where to write it' })
      .option('config', { alias: 'c', type: 'boolean', default: false, describe: 'Write a sim.yaml too' })
      .option('data', { type: 'boolean', default: false, describe: 'Write routes.yaml in place of app.ts' })
      .option('force', { type: 'boolean', default: false, describe: 'Replace files that are there already' })
      .example('$0 init', 'Write app.ts here')
      .example('$0 init demo --config', 'Write demo/app.ts and demo/sim.yaml')
      .example('$0 init --data', 'Write routes.yaml, which needs no code'),
  handler({ directory, config, data, force }) {
    const files = Object.entries(scaffold({ config, data }))
    const there = files.map(([name]) => join(directory, name)).filter((file) => existsSync(resolve(file)))
    if (there.length > 0 && !force) {
      const verb = there.length === 1 ? 'is' : 'are'
      throw new FileNotWritten(`${there.join(' and ')} ${verb} there already; --force replaces them`)
    }
    for (const [name, text] of files) writeFileWhole(resolve(directory, name), text)
    const wrote = files.map(([name]) => `Wrote ${join(directory, name)}\n`)
    const next = nextCommands(directory, { data }).map((command) => `Next: ${command}\n`)
    process.stdout.write([...wrote, ...next].join(''))
  },
}

/** What the first file of an app needs, and how it is called. */
const APP = { file: 'app.ts', needed: ['sim-gateway', 'typebox'] }
const DATA = { file: 'routes.yaml', needed: ['sim-gateway'] }

/** What to type after `sim init`, so that the app in the directory runs: installing first where something is missing. */
export function nextCommands(
  directory: string,
  { data }: { readonly data: boolean },
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  const { file, needed } = data ? DATA : APP
  const place = relative('.', directory)
  const isInstalled = needed.every((name) => canImport(name, directory))
  // `npx sim` finds a command that is not on the path.
  const sim = env['npm_command'] === 'exec' ? 'npx sim' : 'sim'
  return [
    ...(place === '' ? [] : [`cd ${quoted(place)}`]),
    ...(isInstalled ? [] : [`npm install ${needed.join(' ')}`]),
    `${sim} run ${file}`,
  ]
}

function canImport(name: string, directory: string): boolean {
  try {
    createRequire(join(resolve(directory), 'app.ts')).resolve(name)
    return true
  } catch {
    return false
  }
}

function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : JSON.stringify(path)
}
