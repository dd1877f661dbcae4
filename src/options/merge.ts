/**
 * Options of a config file with those of flags over them. Tables are merged key by key; a flag that was not given,
 * which is undefined or an empty list, leaves what the file says.
 */
export function merge<Options extends object>(file: Options, flags: Options): Options {
  const merged = { ...file } as Record<string, unknown>
  for (const [key, value] of Object.entries(flags)) {
    const known = merged[key]
    if (isTable(value)) merged[key] = merge(isTable(known) ? known : {}, value)
    else if (isGiven(value) || known === undefined) merged[key] = isGiven(value) ? value : undefined
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Options
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function isTable(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
}
