import { existsSync, readFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { dirname, extname, resolve, sep } from 'node:path'
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

const MODULE = /\.[cm]?[jt]s$/
const SPECIFIER =
  /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?:'(\.[^'\n]*)'|"(\.[^"\n]*)"|`(\.[^`\n$]*)`)/g
const ENDINGS = [
  '',
  '.ts',
  '.js',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.json',
  '/index.ts',
  '/index.js',
  '/index.mjs',
]

/**
 * The files that a module imports by a relative path, and those that these import, the module itself first. They are
 * found by reading, so that they are known even of a module that cannot be loaded. An import that leads nowhere is
 * listed as it is written, since a file may come to be there.
 */
export function findImports(file: string): readonly string[] {
  const found = new Set<string>()
  const follow = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    if (MODULE.test(path)) specifiersIn(path).forEach((specifier) => follow(resolveFrom(path, specifier)))
  }
  follow(file)
  return [...found]
}

function specifiersIn(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...text.matchAll(SPECIFIER)].map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}

function resolveFrom(file: string, specifier: string): string {
  const path = resolve(dirname(file), specifier)
  // TypeScript lets a module be imported by the name it is compiled to.
  const source = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [...ENDINGS.map((ending) => path + ending), source]
  return candidates.find((each) => /\.\w+$/.test(each) && existsSync(each)) ?? path
}
