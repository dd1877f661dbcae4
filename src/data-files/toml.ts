import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'
import { unreadable, type DataFile, type Keys } from './data-file.ts'

// Loaded with the first file that is read.
const toml = lazy(() => createRequire(import.meta.url)('smol-toml') as typeof import('smol-toml'))

/** Reads TOML, up to its first mistake, since nothing after it can be understood. */
export function readToml(text: string): DataFile {
  try {
    return { value: toml().parse(text), problems: [], linesOf: (places) => linesIn(text, places) }
  } catch (error) {
    const line = error instanceof toml().TomlError ? error.line : 1
    const [message = ''] = (error as Error).message.replace('Invalid TOML document: ', '').split('\n')
    return unreadable(line, `not valid TOML: ${message}`)
  }
}

const KEY = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`
const DOTTED = String.raw`${KEY}(?:\s*\.\s*${KEY})*`
const HEADER = new RegExp(String.raw`^\s*\[{1,2}\s*(${DOTTED})\s*\]`)
const ENTRY = new RegExp(String.raw`^\s*(${DOTTED})\s*=`)

// The parser gives no places. A key inside an inline table is placed with the table.
function linesIn(text: string, places: readonly Keys[]): number[] {
  const lines = new Map<string, number>()
  let table: readonly string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, header] = HEADER.exec(line) ?? []
    const [, entry] = header === undefined ? (ENTRY.exec(line) ?? []) : []
    const keys = header === undefined ? [...table, ...splitKeys(entry ?? '')] : splitKeys(header)
    if (header !== undefined) table = keys
    const place = JSON.stringify(keys)
    if ((header ?? entry) !== undefined && !lines.has(place)) lines.set(place, index + 1)
  }
  return places.map((keys) => nearestLine(lines, keys.map(String)))
}

function nearestLine(lines: ReadonlyMap<string, number>, keys: readonly string[]): number {
  for (let depth = keys.length; depth > 0; depth--) {
    const line = lines.get(JSON.stringify(keys.slice(0, depth)))
    if (line !== undefined) return line
  }
  return 1
}

function splitKeys(dotted: string): string[] {
  const keys = dotted.match(new RegExp(KEY, 'g')) ?? []
  return keys.map((key) => key.replace(/^["']|["']$/g, ''))
}
