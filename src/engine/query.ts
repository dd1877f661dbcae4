import type { Query } from './call.ts'

/** Reads a query string (WHATWG URL, application/x-www-form-urlencoded); malformed escapes stand for themselves. */
export function parseQuery(search: string): Query {
  if (search === '') return {}
  const entries = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const known = entries.get(name)
    entries.set(name, known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value])
  }
  return Object.fromEntries(entries)
}
