import { isAbsolute, relative } from 'node:path'

/** Something wrong in a file. */
export interface Problem {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
  /** The key it is about, where that is known. */
  readonly keys?: Keys
}

/** Keys and indexes that lead to a place. */
export type Keys = readonly (string | number)[]

/** A file's content, whatever its format. */
export interface DataFile {
  /** The whole document as plain data; `undefined` when it is malformed. */
  readonly value: unknown
  /** What is wrong with it in its format, in the order of the file. */
  readonly problems: readonly Problem[]
  /** The lines of places: of each its key's, or that of the nearest place above it. */
  linesOf(places: readonly Keys[]): readonly number[]
}

/** A problem whose line is not known yet. */
export type Unplaced = Omit<Problem, 'line'> & { readonly keys: Keys }

/** Problems in the order of their lines. */
export function placeProblems(file: Pick<DataFile, 'linesOf'>, problems: readonly Unplaced[]): Problem[] {
  const lines = problems.length === 0 ? [] : file.linesOf(problems.map(({ keys }) => keys))
  return problems.map((problem, index) => ({ ...problem, line: lines[index] ?? 1 }))
}

/** A file of which nothing can be read. */
export function unreadable(line: number, message: string): DataFile {
  return {
    value: undefined,
    problems: [{ line, message }],
    linesOf: (places) => places.map(() => line),
  }
}

/** The value at the end of a path of keys; `undefined` where there is none. */
export function valueAt(document: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  )
}

/** Whether a value holds keys. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}

/** A file's name for messages: relative to the working directory where it lies below that. */
export function fileName(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
