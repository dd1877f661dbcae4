/** A value as JSON carries it, unchanged by a round trip; what JSON lacks, such as a function, is left out. */
export function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value === 'bigint') return plain(Number(value))
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (value === null || typeof value !== 'object') return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON())
  if (Array.isArray(value)) return value.map(plain).filter(isThere)
  return plainEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** An object of those entries that have a value. */
export function plainEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => isThere(value)))
}

/** The data of a link. One that had only functions for arguments keeps its name, with no arguments. */
export function plainLink(link: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(link).map(([name, data]) => [name, plain(data) ?? []]))
}

function isThere(value: unknown): boolean {
  return value !== undefined
}
