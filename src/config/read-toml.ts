import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'
import { KeyLines, type ConfigSource } from './config-source.ts'

// Loaded with the first file that is read.
const toml = lazy(() => createRequire(import.meta.url)('smol-toml') as typeof import('smol-toml'))

/** Reads TOML. Its first mistake is the only one told, since nothing after it can be understood. */
export function readToml(text: string): ConfigSource {
  const lineOf = (keys: readonly string[]): number => keyLines(text).of(keys)
  try {
    return { value: toml().parse(text), problems: [], lineOf }
  } catch (error) {
    const line = error instanceof toml().TomlError ? error.line : 1
    const [message = ''] = (error as Error).message.replace('Invalid TOML document: ', '').split('\n')
    return { value: undefined, problems: [{ line, message: `not valid TOML: ${message}` }], lineOf }
  }
}

const KEY = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`
const DOTTED = String.raw`${KEY}(?:\s*\.\s*${KEY})*`
const HEADER = new RegExp(String.raw`^\s*\[{1,2}\s*(${DOTTED})\s*\]`)
const ENTRY = new RegExp(String.raw`^\s*(${DOTTED})\s*=`)

// The parser tells no places. A key inside an inline table is placed with the table.
function keyLines(text: string): KeyLines {
  const lines = new KeyLines()
  let table: readonly string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, header] = HEADER.exec(line) ?? []
    const [, entry] = header === undefined ? (ENTRY.exec(line) ?? []) : []
    const keys = header === undefined ? [...table, ...splitKeys(entry ?? '')] : splitKeys(header)
    if (header !== undefined) table = keys
    if (header !== undefined || entry !== undefined) lines.add(keys, index + 1)
  }
  return lines
}

function splitKeys(dotted: string): string[] {
  const keys = dotted.match(new RegExp(KEY, 'g')) ?? []
  return keys.map((key) => key.replace(/^["']|["']$/g, ''))
}
