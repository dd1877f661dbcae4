import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createJiti } from 'jiti'
import { SimAPI } from '../api.ts'
import { SimError, TargetInvalid } from '../sim-error.ts'

/** What a command's target holds: an app of declared routes, or a web app that is served as it is. */
export type Target =
  { readonly kind: 'api'; readonly api: SimAPI } | { readonly kind: 'web'; readonly app: FastifyInstance }

const EXTENSIONS = ['', '.ts', '.js', '.mjs']

/** How a target is loaded. */
export interface LoadOptions {
  /** Execute the module again, even if it was loaded before. */
  readonly fresh?: boolean
}

/**
 * Loads `module[:attr]`, relative to the working directory.
 * Without an attribute, the module's only app is taken; an app of declared routes wins over a web app made of it.
 * @throws TargetInvalid when there is no such module or attribute, when it is no app, or when the choice is open
 */
export async function loadTarget(
  target: string,
  directory = process.cwd(),
  { fresh = false }: LoadOptions = {},
): Promise<Target> {
  const [path, attribute] = splitTarget(target)
  const module = await importModule(findModule(path, directory), path, fresh)
  return attribute === undefined ? inferApp(module, path) : readAttribute(module, path, attribute)
}

/** The file a target's module lies in. @throws TargetInvalid when there is none */
export function findTargetFile(target: string, directory = process.cwd()): string {
  return findModule(splitTarget(target)[0], directory)
}

function findModule(path: string, directory: string): string {
  const file = EXTENSIONS.map((extension) => resolve(directory, path + extension)).find(isModule)
  if (file === undefined) throw new TargetInvalid(`Module '${path}' not found, looked in ${directory}`)
  return file
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

function isModule(file: string): boolean {
  return /\.(ts|js|mjs)$/.test(file) && existsSync(file)
}

type Module = Readonly<Record<string, unknown>>

async function importModule(file: string, path: string, fresh: boolean): Promise<Module> {
  try {
    if (!file.endsWith('.ts'))
      return (await import(fresh ? freshUrl(file) : pathToFileURL(file).href)) as Module
    const jiti = createJiti(import.meta.url, { interopDefault: false, moduleCache: !fresh })
    return await jiti.import<Module>(file)
  } catch (error) {
    if (SimError.is(error)) throw error
    throw new TargetInvalid(`Module '${path}' could not be loaded: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

let loads = 0

// A URL that was never imported executes the module; a CommonJS one is kept by its path besides.
function freshUrl(file: string): string {
  delete createRequire(import.meta.url).cache[file]
  return `${pathToFileURL(file).href}?load=${++loads}`
}

function readAttribute(module: Module, path: string, attribute: string): Target {
  if (!Object.hasOwn(module, attribute)) {
    const known = Object.keys(module).join(', ') || 'nothing'
    throw new TargetInvalid(`Attribute '${attribute}' not found in module '${path}', which exports ${known}`)
  }
  const target = asTarget(module[attribute])
  if (target === undefined)
    throw new TargetInvalid(`'${path}:${attribute}' must be a SimAPI or a Fastify app`)
  return target
}

function inferApp(module: Module, path: string): Target {
  const values = [...new Set(Object.values(module))].map(asTarget).filter((target) => target !== undefined)
  const apis = values.filter(({ kind }) => kind === 'api')
  const candidates = apis.length > 0 ? apis : values
  const [only, ...others] = candidates
  if (only === undefined) throw new TargetInvalid(`No SimAPI found in module '${path}'`)
  if (others.length > 0) {
    const names = Object.keys(module).filter((name) => asTarget(module[name])?.kind === only.kind)
    throw new TargetInvalid(
      `Multiple app candidates in '${path}': choose one of ${names.map((name) => `${path}:${name}`).join(', ')}`,
    )
  }
  return only
}

function asTarget(value: unknown): Target | undefined {
  if (SimAPI.is(value)) return { kind: 'api', api: value }
  return isFastify(value) ? { kind: 'web', app: value } : undefined
}

function isFastify(value: unknown): value is FastifyInstance {
  const app = value as Partial<FastifyInstance> | null
  return typeof app === 'object' && typeof app?.inject === 'function' && typeof app.listen === 'function'
}
