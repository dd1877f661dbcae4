import { createRequire } from 'node:module'
import type { JSONVisitor, ParseError } from 'jsonc-parser'
import { lazy } from '../engine/lazy.ts'
import { unreadable, type DataFile, type Keys, type Problem } from './data-file.ts'
import { findExcessLength, MAX_LEVELS, measureTree, TOO_DEEP } from './limits.ts'

// Loaded when there is something to say about a text.
const parser = lazy(() => createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser'))
const walk = (text: string, events: JSONVisitor): void => parser().visit(text, events, STRICT)

/**
 * Reads JSON. A key that comes twice is a problem, though JSON itself would let it pass.
 * @param allowsTwice passes over such keys, of which the last counts
 */
export function readJson(text: string, { allowsTwice = false } = {}): DataFile {
  const excess = findExcessLength(text, 'JSON')
  if (excess !== undefined) return unreadable(1, excess)
  const value = parseJson(text)
  if (value === undefined) return malformed(text)
  const tree = measureTree(value)
  if (tree.excess === TOO_DEEP) return malformed(text)
  if (tree.excess !== undefined) return unreadable(1, tree.excess)
  // Counting takes a fraction of the time that finding does, and is nearly always the end of it.
  const isTwice = !allowsTwice && countKeys(text) !== tree.keys
  return {
    value,
    problems: isTwice ? findTwice(text) : [],
    linesOf: (places) => linesInJson(text, places),
  }
}

/** The value of JSON; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function malformed(text: string): DataFile {
  const deep = findDeepBracket(text)
  if (deep !== undefined) return unreadable(lineAt(text, deep), `not valid JSON here: ${TOO_DEEP}`)
  const { line = 1, message = '' } = findMistake(text) ?? {}
  return unreadable(line, `not valid JSON: ${message}`)
}

/** Where a text stops being JSON (RFC 8259), counted from 1, and what was expected; it quotes nothing of the text. */
interface Mistake {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The first mistake of a text that is not JSON; `undefined` for JSON, and for a text too deep to be looked through. */
export function findMistake(text: string): Mistake | undefined {
  if (findDeepBracket(text) !== undefined) return undefined
  let mistake: Mistake | undefined
  const onError = (error: number, _offset: number, _length: number, line: number, column: number): void => {
    const name = parser().printParseErrorCode(error)
    const message = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
    mistake ??= { line: line + 1, column: column + 1, message }
  }
  walk(text, { onError })
  return mistake
}

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

// The parser calls itself for what lies within; brackets within texts count too.
function findDeepBracket(text: string): number | undefined {
  let open = 0
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') open++
    else if (open > 0) open--
    if (open > MAX_LEVELS) return index
  }
  return undefined
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** How many keys a valid text has, those that come twice among them. */
function countKeys(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfText(text, at)
    AFTER_KEY.lastIndex = end
    if (AFTER_KEY.test(text)) count++
    at = text.indexOf('"', end)
  }
  return count
}

const AFTER_KEY = /\s*:/y

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at + 1
  }
}

function findTwice(text: string): Problem[] {
  const problems: Problem[] = []
  const objects: Set<string>[] = []
  walk(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(key, _offset, _length, line, _column, above) {
      const known = objects.at(-1)
      const keys = [...above(), key]
      if (known?.has(key) === true)
        problems.push({ keys, line: line + 1, message: `the key '${keys.join('.')}' comes twice` })
      known?.add(key)
    },
  })
  return problems
}

/** A place that is looked for, or one above such a place. */
interface Place {
  line?: number
  readonly below: Map<string, Place>
}

/** The lines of places in a valid JSON text, found in one pass over it, however many there are. */
export function linesInJson(text: string, places: readonly Keys[]): readonly number[] {
  const root: Place = { line: 1, below: new Map() }
  const paths = places.map((keys) => pathTo(root, keys))
  markLines(text, root)
  return paths.map((path) => path.findLast(({ line }) => line !== undefined)?.line ?? 1)
}

function pathTo(root: Place, keys: Keys): readonly Place[] {
  const path = [root]
  let place = root
  for (const key of keys.map(String)) {
    const known = place.below.get(key) ?? { below: new Map<string, Place>() }
    place.below.set(key, known)
    path.push((place = known))
  }
  return path
}

function markLines(text: string, root: Place): void {
  const within: { readonly place: Place | undefined; index: number | undefined }[] = []
  let next: Place | undefined = root
  const mark = (line: number): void => {
    if (next !== undefined) next.line ??= line + 1
  }
  const onValue = (line: number): void => {
    const list = within.at(-1)
    if (list?.index === undefined) return
    next = list.place?.below.get(String(list.index++))
    mark(line)
  }
  // What lies within is passed over where nothing of it is looked for.
  const begin = (index: number | undefined, line: number): boolean => {
    onValue(line)
    within.push({ place: next, index })
    return next !== undefined && next.below.size > 0
  }
  walk(text, {
    onObjectBegin: (_offset, _length, line) => begin(undefined, line),
    onArrayBegin: (_offset, _length, line) => begin(0, line),
    onObjectEnd: () => void within.pop(),
    onArrayEnd: () => void within.pop(),
    onObjectProperty(key, _offset, _length, line) {
      next = within.at(-1)?.place?.below.get(key)
      mark(line)
    },
    onLiteralValue: (_value, _offset, _length, line) => onValue(line),
  })
}

/** The value of JSON that may have comments and last commas; `undefined` where it is none. */
export function parseLoosely(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parser().parse(text, errors, { allowTrailingComma: true })
  return errors.length === 0 ? value : undefined
}
