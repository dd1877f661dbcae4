/** Something wrong in a config file. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
  /** The key it is about, where that is known. */
  readonly keys?: readonly string[]
}

/** A config file's content, whatever its format. */
export interface ConfigSource {
  /** The whole document as plain data; `undefined` when it is malformed. */
  readonly value: unknown
  /** What is wrong with it in its format, in the order of the file. */
  readonly problems: readonly LineProblem[]
  /** The line of a key, or of the nearest one above it whose line is known. */
  lineOf(keys: readonly string[]): number
}

/** Reads one format. Malformed text is told in `problems`; nothing is thrown. */
export type ReadSource = (text: string) => ConfigSource

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

/** The lines of keys by path, for formats whose lines are found by scanning. */
export class KeyLines {
  readonly #lines = new Map<string, number>()

  /** Remembers the first line a key has. */
  add(keys: readonly string[], line: number): void {
    const path = JSON.stringify(keys)
    if (!this.#lines.has(path)) this.#lines.set(path, line)
  }

  has(keys: readonly string[]): boolean {
    return this.#lines.has(JSON.stringify(keys))
  }

  /** The line of a key, or of the nearest known one above it; line 1 without any. */
  of(keys: readonly string[]): number {
    for (let depth = keys.length; depth > 0; depth--) {
      const line = this.#lines.get(JSON.stringify(keys.slice(0, depth)))
      if (line !== undefined) return line
    }
    return 1
  }
}
