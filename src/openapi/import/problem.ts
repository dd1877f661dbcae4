import { relative } from 'node:path'
import { linesInJson } from '../../data-files/json.ts'
import { linesInYaml } from '../../data-files/yaml.ts'
import { remembered } from '../../engine/lazy.ts'
import { groupBy } from '../../grouping.ts'
import { entriesOf, pathOf, pointerOf, rootOf, type Node, type Source } from './node.ts'

/** Something wrong in a description, and where. */
export interface Problem {
  readonly node: Node
  readonly message: string
}

/** A problem as it is reported. */
export interface PlacedProblem {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** JSON pointer, such as `#/paths/~1pets/get`. */
  readonly pointer: string
  readonly message: string
}

/** Finds the lines of problems, each file gone through once. */
export function placeProblems(problems: readonly Problem[]): PlacedProblem[] {
  const bySource = groupBy(problems, ({ node }) => node.source)
  const placed = new Map<Problem, PlacedProblem>()
  for (const [source, own] of bySource) {
    const paths = own.map(({ node }) => placeInText(node))
    const lines = linesIn(source, paths)
    for (const [index, problem] of own.entries()) {
      const pointer = pointerOf(paths[index] ?? [])
      placed.set(problem, { file: source.file, line: lines[index] ?? 1, pointer, message: problem.message })
    }
  }
  return problems.map((problem) => placed.get(problem) as PlacedProblem)
}

// What a terminal would take for commands.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f-\x9f]/g
const inJson = (character: string): string =>
  character < ' ' ? JSON.stringify(character).slice(1, -1) : `\\u00${character.charCodeAt(0).toString(16)}`

/** A problem in one line, such as `api.yaml:12: #/paths/~1pets: …`; the file as seen from a directory. */
export function problemLine(
  { file, line, pointer, message }: PlacedProblem,
  directory = process.cwd(),
): string {
  const text = `${pointer === '#' ? '' : `${pointer}: `}${message}`
  return `${shortName(file, directory)}:${line}: ${text.replaceAll(CONTROL, inJson)}`
}

/** A file's name as seen from a directory, where it lies below that. */
export function shortName(file: string, directory = process.cwd()): string {
  const short = relative(directory, file)
  return short === '' || short.startsWith('..') ? file : short
}

/** Where an operation stands, for messages: file, line and JSON pointer. */
export function placeOfOperation(node: Node): string {
  const path = placeInText(node)
  const pointer = pointerOf(path)
  const line = upperLines(node.source).get(pointer) ?? linesIn(node.source, [path])[0] ?? 1
  return `${shortName(node.source.file)}:${line} ${pointer}`
}

/** The lines of all that stands where operations mostly do, by JSON pointer: found in one pass for all of a file. */
const upperLines = remembered((source: Source): ReadonlyMap<string, number> => {
  const levels = [[rootOf(source)]]
  for (let level = 0; level < LEVELS_OF_OPERATIONS; level++)
    levels.push(levels[level]?.flatMap(entriesOf) ?? [])
  const paths = levels.flat().map(placeInText)
  const lines = linesIn(source, paths)
  return new Map(paths.map((path, index) => [pointerOf(path), lines[index] ?? 1]))
}, new WeakMap<Source, ReadonlyMap<string, number>>())

/** `paths`, a path, a method. */
const LEVELS_OF_OPERATIONS = 3

function placeInText(node: Node): readonly string[] {
  const path = pathOf(node)
  return node.source.placeInText?.(path) ?? path
}

const linesIn = ({ format, text }: Source, paths: readonly (readonly string[])[]): readonly number[] =>
  linesOf({ format, text: text() }, paths)

interface ReadFile {
  readonly format: Source['format']
  readonly text: string
}

/** The lines of places in a file's text, counted from 1: of each its key's, or that of the nearest place above. */
export function linesOf(
  { format, text }: ReadFile,
  paths: readonly (readonly string[])[],
): readonly number[] {
  return format === 'json' ? linesInJson(text, paths) : linesInYaml(text, paths)
}
