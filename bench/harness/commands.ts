import { resolve } from 'node:path'
import type { ServerCommand } from './server.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A script of `bench/servers`. */
export function script(name: string, file: string, ...args: readonly string[]): ServerCommand {
  return { name, command: process.execPath, args: [resolve(ROOT, 'bench/servers', file), ...args] }
}

/** The command `sim`, as built. */
export function sim(name: string, ...args: readonly string[]): ServerCommand {
  return {
    name,
    command: process.execPath,
    args: [resolve(ROOT, 'dist/src/cli/main.js'), ...args, '--port', '0'],
  }
}

/** A file of `bench/servers`. */
export function serverFile(name: string): string {
  return resolve(ROOT, 'bench/servers', name)
}

/** A file of a package that the benches have of their own. */
export function installed(path: string): string {
  return resolve(ROOT, 'bench/node_modules', path)
}
