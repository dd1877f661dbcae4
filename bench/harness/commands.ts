import { resolve } from 'node:path'
import type { ServerCommand } from './server.ts'
import { settings } from './settings.ts'

const BENCH = resolve(import.meta.dirname, '..')

/** A script of `bench/servers`. */
export function script(name: string, file: string, ...args: readonly string[]): ServerCommand {
  return { name, command: process.execPath, args: [serverFile(file), ...args] }
}

/** The command `sim`, as built. */
export function sim(name: string, ...args: readonly string[]): ServerCommand {
  return simOf(settings.build, name, ...args)
}

/** The command `sim` of the build in a folder. */
export function simOf(build: string, name: string, ...args: readonly string[]): ServerCommand {
  return {
    name,
    command: process.execPath,
    args: [resolve(build, 'dist/src/cli/main.js'), ...args, '--port', '0'],
    env: { BENCH_BUILD: build },
  }
}

/** A file of `bench/servers`. */
export function serverFile(name: string): string {
  return resolve(BENCH, 'servers', name)
}

/** A file of a package that the benches have of their own. */
export function installed(path: string): string {
  return resolve(BENCH, 'node_modules', path)
}
