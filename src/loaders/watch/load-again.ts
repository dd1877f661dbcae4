import { createRequire, register } from 'node:module'
import { dirname, extname, sep } from 'node:path'
import { findImports } from './find-imports.ts'
import type { HooksData } from './load-hooks.ts'

let loads: Int32Array | undefined

/**
 * Makes the next import of a module execute it, and all that it imports by relative paths, again. Node itself never
 * forgets a module: the older ones stay in memory.
 */
export function forgetModules(file: string): void {
  loads ??= registerHooks()
  Atomics.add(loads, 0, 1)
  // CommonJS modules and JSON are kept by their paths.
  const { cache } = createRequire(import.meta.url)
  for (const each of findImports(file)) delete cache[each]
}

function registerHooks(): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const own = dirname(dirname(import.meta.dirname)) + sep
  const data: HooksData = { loads: shared, own }
  register(`./load-hooks${extname(import.meta.filename)}`, import.meta.url, { data })
  return shared
}
