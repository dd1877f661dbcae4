import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { writeFileWhole } from '../loaders/write-file.ts'
import { FileNotWritten } from '../errors.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { toggle, type Command, type Given } from './command.ts'
import { readFlags } from './flags.ts'
import { scaffold } from './scaffold.ts'

type InitFlags = Readonly<Record<'config' | 'data' | 'force', boolean | undefined>>

const FLAGS: Readonly<Record<keyof InitFlags, Option>> = {
  config: toggle('config', 'Write a sim.yaml too', 'c'),
  data: toggle('data', 'Write routes.yaml in place of app.ts'),
  force: toggle('force', 'Replace files that are there already'),
}

/** `sim init [directory]` */
export const init: Command = {
  command: 'init [directory]',
  describe: 'Write a first app that runs as it is',
  positionals: { directory: { ...TEXT, default: '.', describe: 'Where to write it' } },
  flags: [FLAGS],
  examples: [
    ['$0 init', 'Write app.ts here'],
    ['$0 init demo --config', 'Write demo/app.ts and demo/sim.yaml'],
    ['$0 init --data', 'Write routes.yaml, which needs no code'],
  ],
  run({ directory, ...given }: Given & { readonly directory: string }) {
    const { config = false, data = false, force = false } = readFlags<InitFlags>(given, FLAGS)
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
