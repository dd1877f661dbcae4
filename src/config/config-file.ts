import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { ConfigInvalid } from '../errors.ts'
import {
  fileName,
  isTable,
  placeProblems,
  valueAt,
  type DataFile,
  type Problem,
} from '../data-files/data-file.ts'
import { readJson } from '../data-files/json.ts'
import { readOptions, type FileOptions } from './read-options.ts'
import { readToml } from '../data-files/toml.ts'
import { readYaml } from '../data-files/yaml.ts'

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
export function holdsOptions(file: string): boolean {
  const keys = SHARED[basename(file)]
  if (keys === undefined) return true
  const text = readText(file)
  if (!/\bsim\b/.test(text)) return false
  const { value, problems } = sourceOf(file, text)
  return valueAt(value, keys) !== undefined || (value === undefined && problems.length > 0)
}

/** The options of one file. @throws ConfigInvalid with everything that is wrong with it */
export function readConfigFile(file: string): FileOptions {
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
