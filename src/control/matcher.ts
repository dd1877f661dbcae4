import { isDeepStrictEqual } from 'node:util'
import { createGlob, createTextGlob } from '../routing/glob.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { GLOB } from './operation.ts'
import type { JournalEntry } from '../state/journal.ts'
import { isObject } from '../engine/schema/schema.ts'

/** What a request must be like. */
export interface Matcher {
  readonly method?: string
  /** A glob. */
  readonly path?: string
  readonly query?: Readonly<Record<string, string>>
  /** Globs over the values of headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** What the JSON body must hold; it may hold more. */
  readonly body?: unknown
}

/** The fields of a matcher, as JSON Schemas. */
export const MATCHER: Readonly<Record<string, Schema>> = {
  method: { type: 'string' },
  path: { ...GLOB, description: 'A glob, such as /users/**' },
  query: { type: 'object', additionalProperties: { type: 'string' } },
  headers: {
    type: 'object',
    additionalProperties: GLOB,
    description: 'Globs over values. Secrets are not in the journal, so they can only be looked for by *',
  },
  body: { description: 'What the JSON body holds; objects may hold more. Bodies of declared routes only' },
}

/** How a request differs from what a matcher asks for; empty when it does not. */
export function differencesOf(matcher: Matcher, entry: JournalEntry): readonly string[] {
  const { method, path, query = {}, headers = {} } = matcher
  const differences: string[] = []
  const check = (isAlike: boolean, what: string, actual: unknown, wanted: unknown): void => {
    if (!isAlike) differences.push(`${what}: ${shown(actual)} instead of ${shown(wanted)}`)
  }
  if (method !== undefined) check(entry.method === method.toUpperCase(), 'method', entry.method, method)
  if (path !== undefined) check(createGlob(path)(entry.path), 'path', entry.path, path)
  for (const [name, wanted] of Object.entries(query)) {
    const values = entry.query[name]
    check(values?.includes(wanted) === true, `query ${name}`, values?.join(', '), wanted)
  }
  for (const [name, wanted] of Object.entries(headers)) {
    const values = entry.headers
      .filter(([each]) => each.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value)
    const fits = createTextGlob(wanted)
    check(
      values.some((value) => fits(value)),
      `header ${name}`,
      values[0],
      wanted,
    )
  }
  if (matcher.body !== undefined)
    differences.push(...bodyDifferences(entry.requestBody, matcher.body, 'body'))
  return differences
}

function bodyDifferences(actual: unknown, wanted: unknown, where: string): readonly string[] {
  if (isObject(actual) && isObject(wanted)) {
    return Object.entries(wanted).flatMap(([key, each]) =>
      bodyDifferences(actual[key], each, `${where}.${key}`),
    )
  }
  return isDeepStrictEqual(actual, wanted) ? [] : [`${where}: ${shown(actual)} instead of ${shown(wanted)}`]
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 120) ?? 'nothing'
}
