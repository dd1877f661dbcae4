import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import {
  fileName,
  isTable,
  placeProblems,
  valueAt,
  type DataFile,
  type Problem,
  type Unplaced,
} from '../data-files/data-file.ts'
import { readJson } from '../data-files/json.ts'
import { readToml } from '../data-files/toml.ts'
import { readYaml } from '../data-files/yaml.ts'
import { ConfigInvalid } from '../errors.ts'
import type { OptionTable } from '../pipeline/option.ts'
import { APP_OPTIONS, type SimOptions } from './app-options.ts'
import { readTable } from './check.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { GATEWAY_OPTIONS } from './gateway-options.ts'

/** What a config file holds: the options of an app, and those of the gateway. */
interface FileOptions extends SimOptions {
  readonly gateway?: GatewayConfig
}

// A file cannot name another one.
const { configPath: _configPath, ...FILE_APP_OPTIONS }: OptionTable = APP_OPTIONS

/** The keys of a config file, by their names in code. */
export const FILE_OPTIONS: OptionTable = {
  ...FILE_APP_OPTIONS,
  gateway: { table: GATEWAY_OPTIONS, describe: 'What sim proxy does when flags do not say otherwise.' },
}

/**
 * Reads a table's snake_case keys as options.
 * @param at the keys that lead to the table in its file
 */
export function readOptions(
  table: unknown,
  at: readonly string[],
): { readonly options: FileOptions; readonly problems: readonly Unplaced[] } {
  const { values, problems } = readTable(table, FILE_OPTIONS, at)
  return { options: values, problems }
}

/**
 * Reads the options of a config file; without a path, of the first one found from `directory` upwards.
 * Without a file there are none; a named file must be there.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadConfig(path: string | undefined, directory: string): SimOptions {
  const file = fileOf(path, directory)
  if (file === undefined) return {}
  const { gateway: _gateway, ...options } = readConfigFile(file)
  return options
}

/** The gateway's part of a config file. */
interface LoadedGateway {
  /** The file that was read. */
  readonly file: string
  readonly seed: number | undefined
  readonly gateway: GatewayConfig
}

/**
 * Reads the `gateway` section of a config file, found as `loadConfig` finds it; `undefined` where there is no file,
 * or where one that was not named has no such section.
 * @throws ConfigInvalid naming file, key and line
 */
export function loadGatewayConfig(path: string | undefined, directory: string): LoadedGateway | undefined {
  const file = fileOf(path, directory)
  if (file === undefined) return undefined
  const { gateway, seed } = readConfigFile(file)
  if (gateway === undefined && path === undefined) return undefined
  return { file, seed, gateway: gateway ?? {} }
}

function fileOf(path: string | undefined, directory: string): string | undefined {
  return path === undefined ? findConfig(directory) : resolve(directory, path)
}

const NAMES = ['sim.yaml', 'sim.yml', 'package.json', 'pyproject.toml']

/** The first config file from a directory upwards; `undefined` when there is none up to the root. */
export function findConfig(directory: string): string | undefined {
  for (let place = resolve(directory); ; place = dirname(place)) {
    const file = NAMES.map((name) => join(place, name)).find((each) => isFile(each) && holdsOptions(each))
    if (file !== undefined || dirname(place) === place) return file
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    // A link that leads to itself is reported when it is read; what may not be looked at is not ours.
    return (error as NodeJS.ErrnoException).code === 'ELOOP'
  }
}

const READERS: Readonly<Record<string, (text: string) => DataFile>> = {
  '.yaml': readYaml,
  '.yml': readYaml,
  '.json': readJson,
  '.toml': readToml,
}

/** Files that belong to other tools too: the options are one table of theirs. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['sim'],
  'pyproject.toml': ['tool', 'sim'],
}

/** Whether a file that belongs to other tools too holds options; a malformed one does when it speaks of them. */
function holdsOptions(file: string): boolean {
  const keys = SHARED[basename(file)]
  if (keys === undefined) return true
  const text = readText(file)
  if (!/\bsim\b/.test(text)) return false
  const { value, problems } = sourceOf(file, text)
  return valueAt(value, keys) !== undefined || (value === undefined && problems.length > 0)
}

/** The options of one file. @throws ConfigInvalid with everything that is wrong with it */
function readConfigFile(file: string): FileOptions {
  const source = sourceOf(file, readText(file))
  const keys = tableKeys(file, source)
  if (source.value === undefined) throw invalid(file, source.problems)

  // An empty YAML file has no options; a shared file without the table was named by mistake.
  const table = keys.length === 0 ? (source.value ?? {}) : valueAt(source.value, keys)
  if (table === undefined) throw invalid(file, [{ line: 1, message: `it has no table '${keys.join('.')}'` }])

  const { options, problems } = readOptions(table, keys)
  const own = source.problems.filter((problem) => isWithin(problem, keys))
  if (own.length + problems.length > 0) throw invalid(file, [...own, ...placeProblems(source, problems)])
  return options
}

function sourceOf(file: string, text: string): DataFile {
  const read = READERS[extname(file).toLowerCase()]
  if (read !== undefined) return read(text)
  throw new ConfigInvalid([`${fileName(file)}: a config file is a .yaml, .yml, .json or .toml file`])
}

// A TOML file of another name may hold either the table or the keys alone.
function tableKeys(file: string, { value }: DataFile): readonly string[] {
  const shared = SHARED[basename(file)]
  if (shared !== undefined) return shared
  const nested = ['tool', 'sim']
  return extname(file).toLowerCase() === '.toml' && isTable(valueAt(value, nested)) ? nested : []
}

// Keys that other tools' tables have twice are not for us to judge.
function isWithin({ keys: place = [] }: Problem, table: readonly string[]): boolean {
  return table.every((key, index) => place[index] === key)
}

function readText(file: string): string {
  try {
    const state = statSync(file)
    if (!state.isFile() && !state.isFIFO()) throw new Error('it is not a file')
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = missing ? 'there is no such file' : `it cannot be read: ${(error as Error).message}`
    throw new ConfigInvalid([`${fileName(file)}: ${reason}`], { cause: error })
  }
}

function invalid(file: string, problems: readonly Problem[]): ConfigInvalid {
  const inOrder = problems.toSorted((a, b) => a.line - b.line)
  return new ConfigInvalid(inOrder.map(({ line, message }) => `${fileName(file)}:${line}: ${message}`))
}
