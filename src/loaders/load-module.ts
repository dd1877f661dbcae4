import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { SimAPI } from '../api.ts'
import { placeText } from './place.ts'
import { SimError, TargetInvalid } from '../errors.ts'
import type { LoadOptions, Target } from './target.ts'

const EXTENSIONS = ['', '.ts', '.js', '.mjs', '.mts', '.cts', '.cjs']

/** A module file, and the name of the one of its exports that is meant. */
export interface ModulePlace {
  readonly path: string
  readonly file: string
  readonly attribute: string | undefined
}

/** Finds `module[:attr]`, relative to a directory. @throws TargetInvalid when there is no such module */
export function findModule(target: string, directory: string): ModulePlace {
  const [path, attribute] = splitTarget(target)
  const file = EXTENSIONS.map((extension) => resolve(directory, path + extension)).find(
    (file) => isModule(file) && existsSync(file),
  )
  if (file !== undefined && statSync(file).isFile()) return { path, file, attribute }
  if (file !== undefined) throw new TargetInvalid(`'${path}' is not a file`)
  throw new TargetInvalid(`Module '${path}' not found, looked in ${directory}`)
}

/**
 * Loads the app of a module. Without an attribute, the module's only app is taken; an app of declared routes wins
 * over a web app made of it.
 * @throws TargetInvalid when the module cannot be loaded, the attribute is not an app, or the choice is open
 */
export async function loadModule(
  { path, file, attribute }: ModulePlace,
  options: LoadOptions,
): Promise<Target> {
  const module = await importModule(file, path, options)
  return attribute === undefined ? inferApp(module, file, path) : readAttribute(module, file, path, attribute)
}

function splitTarget(target: string): [path: string, attribute: string | undefined] {
  const colon = target.lastIndexOf(':')
  if (colon < 0) return [target, undefined]
  const [path, attribute] = [target.slice(0, colon), target.slice(colon + 1)]
  if (path === '' || attribute === '') {
    throw new TargetInvalid(`'${target}': module and attribute must both be non-empty, as in app.ts:api`)
  }
  return [path, attribute]
}

/** Whether a file is called as modules are. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file)
}

/** What a module exports. */
export type Module = Readonly<Record<string, unknown>>

/**
 * Executes a module, or takes it as it was executed before.
 * @param path how the user names it
 * @throws TargetInvalid when it cannot be loaded
 */
export async function importModule(
  file: string,
  path: string,
  { fresh = false, reload = false }: LoadOptions,
): Promise<Module> {
  try {
    if (reload) (await import('./watch/load-again.ts')).forgetModules(file)
    if (!/\.[cm]?ts$/.test(file))
      return (await import(fresh ? freshUrl(file) : pathToFileURL(file).href)) as Module
    const { createJiti } = await import('jiti')
    const moduleCache = !fresh && !reload
    const jiti = createJiti(import.meta.url, {
      interopDefault: false,
      moduleCache,
      fsCache: cacheDirectory(),
    })
    return await jiti.import<Module>(file)
  } catch (error) {
    const { mistakeOf } = await import('./module-mistake.ts')
    const { message: said, place } = await mistakeOf(asError(error), file)
    const message = place === undefined ? said : `${placeText(place)}: ${said}`
    if (SimError.is(error)) throw Object.assign(error, { message, place })
    const failed = new TargetInvalid(`Module '${path}' could not be loaded: ${message}`, { cause: error })
    throw Object.assign(failed, { place })
  }
}

// A module may throw anything.
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return Object.assign(new Error(`it threw ${inspect(thrown)}, which is not an error`), { stack: '' })
}

// Jiti keeps what it makes of a module by the module's text alone. Made with other options, by jiti's own command for
// one, a default import would mean something else.
function cacheDirectory(): string {
  const modules = resolve('node_modules')
  return existsSync(modules) ? join(modules, '.cache/sim-gateway') : join(tmpdir(), 'sim-gateway-modules')
}

let loads = 0

// A URL that was never imported executes the module; a CommonJS one is kept by its path besides.
function freshUrl(file: string): string {
  delete createRequire(import.meta.url).cache[file]
  return `${pathToFileURL(file).href}?load=${++loads}`
}

function readAttribute(module: Module, file: string, path: string, attribute: string): Target {
  if (!Object.hasOwn(module, attribute)) {
    const known = Object.keys(module).join(', ') || 'nothing'
    throw new TargetInvalid(`Attribute '${attribute}' not found in module '${path}', which exports ${known}`)
  }
  const target = asTarget(module[attribute], file)
  if (target === undefined)
    throw new TargetInvalid(`'${path}:${attribute}' must be a SimAPI or a Fastify app`)
  return target
}

function inferApp(module: Module, file: string, path: string): Target {
  const values = [...new Set(Object.values(module))]
    .map((value) => asTarget(value, file))
    .filter((target) => target !== undefined)
  const apis = values.filter(({ kind }) => kind === 'api')
  const candidates = apis.length > 0 ? apis : values
  const [only, ...others] = candidates
  if (only === undefined) throw new TargetInvalid(`No SimAPI found in module '${path}'`)
  if (others.length > 0) {
    const names = Object.keys(module).filter((name) => asTarget(module[name], file)?.kind === only.kind)
    throw new TargetInvalid(
      `Multiple app candidates in '${path}': choose one of ${names.map((name) => `${path}:${name}`).join(', ')}`,
    )
  }
  return only
}

function asTarget(value: unknown, file: string): Target | undefined {
  if (SimAPI.is(value)) return { kind: 'api', api: value, problems: [], files: [file] }
  return isFastify(value) ? { kind: 'web', app: value } : undefined
}

function isFastify(value: unknown): value is FastifyInstance {
  const app = value as Partial<FastifyInstance> | null
  return typeof app === 'object' && typeof app?.inject === 'function' && typeof app.listen === 'function'
}
