import type { Query } from '../message.ts'
import { setEntry } from './schema/schema.ts'

/** Reads a query string (WHATWG URL, application/x-www-form-urlencoded); malformed escapes stand for themselves. */
export function parseQuery(search: string): Query {
  const query: Record<string, string | string[]> = {}
  // Without escapes there is nothing to decode.
  if (/[%+]/.test(search)) for (const [name, value] of new URLSearchParams(search)) add(query, name, value)
  else if (search !== '') readPlain(query, search)
  return query
}

function readPlain(query: Record<string, string | string[]>, search: string): void {
  for (const pair of search.split('&')) {
    const mark = pair.indexOf('=')
    if (mark >= 0) add(query, pair.slice(0, mark), pair.slice(mark + 1))
    else if (pair !== '') add(query, pair, '')
  }
}

function add(query: Record<string, string | string[]>, name: string, value: string): void {
  const known = Object.hasOwn(query, name) ? query[name] : undefined
  if (known === undefined) setEntry(query, name, value)
  else if (typeof known === 'string') setEntry(query, name, [known, value])
  else known.push(value)
}
