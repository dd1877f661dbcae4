import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { utf8Of } from '../data-files/utf8.ts'
import { textFile, type TextFile } from '../data-files/text-file.ts'
import { TargetInvalid } from '../errors.ts'
import { findConfig, loadConfig } from '../options/config-file.ts'
import { findModule, isModule, loadModule, type ModulePlace } from './load-module.ts'
import type { DocumentOptions, LoadedApi, LoadedDocument, LoadOptions, Target } from './target.ts'

/** A kind of file that routes are declared in without code. */
interface Loader {
  /** What its files are called. */
  readonly extension: RegExp
  /** Whether a file that is called so is of this kind, by its text. */
  reads(text: string): boolean
  /** Most apps need none of them, so each is loaded when it is needed. */
  open(): Promise<(source: TextFile, options: DocumentOptions) => Promise<LoadedDocument>>
}

const DATA = /\.(ya?ml|json)$/i

/** How many files of a folder a message names. */
const MAX_NAMED = 5

/** The kinds of files; of those that a file may be of, the first. */
const LOADERS: readonly Loader[] = [
  {
    extension: DATA,
    reads: isDescription,
    open: async () => (await import('./load-description.ts')).loadDescription,
  },
  {
    extension: /\.json$/i,
    reads: isCollection,
    open: async () => (await import('./load-postman.ts')).loadPostman,
  },
  {
    extension: /\.(graphqls?|gql)$/i,
    reads: () => true,
    open: async () => (await import('./load-graphql.ts')).loadGraphql,
  },
  {
    extension: DATA,
    reads: () => true,
    open: async () => (await import('./route-data/load-route-data.ts')).loadRouteData,
  },
]

/** Whether a target is a file of data, and not a module. */
export function isDocument(target: string): boolean {
  return LOADERS.some(({ extension }) => extension.test(target))
}

/**
 * Loads a target, relative to the working directory: `module[:attr]`, a file of data-only routes, or an OpenAPI or
 * Swagger description. What a `.yaml`, `.yml` or `.json` file holds decides which of the two it is; the config file
 * found from its directory upwards has defaults for its options.
 * @throws TargetInvalid when there is no such file, when it is not an app, or when the choice is open
 * @throws SimError when a document cannot be served, or, in strict mode, gets anything wrong
 */
export async function loadTarget(
  target: string,
  directory = process.cwd(),
  options: LoadOptions = {},
): Promise<Target> {
  if (!isDocument(target)) return loadModule(moduleOf(target, directory), options)
  const file = resolve(directory, target)
  const source = textFile(file, readText(file, target, directory))
  const loader = LOADERS.find(
    ({ extension, reads }) => extension.test(target) && reads(source.text()),
  ) as Loader
  const load = await loader.open()
  const config = findConfig(dirname(file))
  const defaults = config === undefined || config === file ? {} : loadConfig(config, dirname(file))
  const { files = [], ...loaded } = await load(source, { ...options, defaults })
  return { kind: 'api', ...loaded, files: [file, ...files, ...(config === undefined ? [] : [config])] }
}

/** The file a target lies in. @throws TargetInvalid when there is none */
export function findTargetFile(target: string, directory = process.cwd()): string {
  return isDocument(target) ? resolve(directory, target) : moduleOf(target, directory).file
}

// Folders are what other tools take, and what `sim fixtures from` writes.
function moduleOf(target: string, directory: string): ModulePlace {
  try {
    return findModule(target, directory)
  } catch (error) {
    const folder = resolve(directory, target)
    if (!isFolder(folder)) throw error
    const files = readdirSync(folder).filter((name) => isModule(name) || isDocument(name))
    const those = files.slice(0, MAX_NAMED).map((name) => join(target, name))
    const others = files.length > MAX_NAMED ? `, and ${files.length - MAX_NAMED} more` : ''
    const choice = files.length > 0 ? `: ${those.join(', ')}${others}` : '; none in it can be one'
    throw new TargetInvalid(`'${target}' is a folder, and a target is a file${choice}`, { cause: error })
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function readText(file: string, target: string, directory: string): string {
  try {
    // A pipe may never end.
    if (!statSync(file).isFile()) throw new Error('it is not a file')
    return utf8Of(readFileSync(file))
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isMissing
      ? `not found, looked in ${directory}`
      : `could not be read: ${(error as Error).message}`
    throw new TargetInvalid(`File '${target}' ${reason}`, { cause: error })
  }
}

/**
 * Loads a target that must be an app of declared routes.
 * @param purpose what is done with the routes, for the message
 * @throws TargetInvalid as `loadTarget` does, and for a web app
 */
export async function loadApi(
  target: string,
  purpose: string,
  directory?: string,
  options?: LoadOptions,
): Promise<LoadedApi> {
  return requireApi(await loadTarget(target, directory, options), target, purpose)
}

/** A loaded target that must be an app of declared routes. @throws TargetInvalid for a web app */
export function requireApi(loaded: Target, target: string, purpose: string): LoadedApi {
  if (loaded.kind === 'api') return loaded
  throw new TargetInvalid(`'${target}' is a web app; only the declared routes of a SimAPI can be ${purpose}`)
}

const MARGIN = /^(?![ \t]*(?:#|$)|---|%) {0,99}/m
const FIRST_KEY = /^\s*\{\s*(["']?)(openapi|swagger)\1\s*:/
const ANY_KEY = /"(openapi|swagger)"\s*:/

/**
 * Whether the text of a document is an OpenAPI or Swagger description: whether `openapi` or `swagger` is a key at its
 * top. A large description is not parsed for that, since its key stands first or at the margin.
 */
export function isDescription(text: string): boolean {
  if (!/^\s*\{/.test(text)) {
    const margin = MARGIN.exec(text)?.[0] ?? ''
    return new RegExp(`^${margin}(["']?)(openapi|swagger)\\1[ \\t]*:`, 'm').test(text)
  }
  return FIRST_KEY.test(text) || (ANY_KEY.test(text) && hasKey(text))
}

function hasKey(text: string): boolean {
  try {
    const document = JSON.parse(text) as object
    return Object.hasOwn(document, 'openapi') || Object.hasOwn(document, 'swagger')
  } catch {
    return false
  }
}

/** Whether the text of a document is a Postman collection. */
export function isCollection(text: string): boolean {
  if (!/^\s*\{/.test(text) || !/"(item|requests)"\s*:/.test(text)) return false
  return (
    /schema\.(get)?postman\.com|"_postman_(id|schema)"/.test(text) ||
    (/"info"\s*:/.test(text) && /"item"\s*:\s*\[/.test(text) && /"request"\s*:/.test(text))
  )
}
