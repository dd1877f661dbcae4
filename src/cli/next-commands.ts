import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'

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
