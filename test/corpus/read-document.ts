import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { fileOf, type Description } from './descriptions.ts'
import type { Json } from './json.ts'

/** The description's document, as any parser of JSON or YAML reads it. */
export function readDocument(description: Description): Json {
  const file = fileOf(description)
  const text = readFileSync(file, 'utf8')
  return (file.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true })) as Json
}
