/** The entries of an object being made. */
export type Entries = Record<string, unknown>

/** Gives an object an entry of its own; one called `__proto__` is no more than that, either. */
export function setEntry(value: Entries, name: string, entry: unknown): void {
  if (name !== '__proto__') value[name] = entry
  else
    Object.defineProperty(value, name, { value: entry, enumerable: true, configurable: true, writable: true })
}
