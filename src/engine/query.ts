import type { Query } from './call.ts'

/** Reads a query string (WHATWG URL, application/x-www-form-urlencoded); malformed escapes stand for themselves. */
export function parseQuery(search: string): Query {
  if (search === '') return {}
  const entries = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const known = entries.get(name)
    if (known === undefined) entries.set(name, value)
    else if (typeof known === 'string') entries.set(name, [known, value])
    else known.push(value)
  }
  return Object.fromEntries(entries)
}
