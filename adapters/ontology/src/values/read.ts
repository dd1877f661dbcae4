/** A value of a request that should be a text; anything else is as good as none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list of a request. */
export const textsOf = (values: readonly unknown[]): string[] => values.map(textOf)

/** The entry of a table under a key that a request names: never one that all objects have. */
export const entryOf = <Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
