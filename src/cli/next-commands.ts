import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'

const NEEDED = ['sim-gateway', 'typebox']

/** What to type after `sim init`, so that the app in the directory runs: installing first where something is missing. */
export function nextCommands(directory: string, env: NodeJS.ProcessEnv = process.env): string[] {
  const place = relative('.', directory)
  const isInstalled = NEEDED.every((name) => canImport(name, directory))
  // `npx sim` finds a command that is not on the path.
  const sim = env['npm_command'] === 'exec' ? 'npx sim' : 'sim'
  return [
    ...(place === '' ? [] : [`cd ${quoted(place)}`]),
    ...(isInstalled ? [] : [`npm install ${NEEDED.join(' ')}`]),
    `${sim} run app.ts`,
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
