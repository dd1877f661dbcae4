import { isObject, setEntry, type Entries } from './schema.ts'

type Value = Readonly<Record<string, unknown>>

/** The value that some names lead to; the value itself without any, and `undefined` where one leads nowhere. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

/** The value that keys and indexes lead to, as those of a JSON pointer do; `undefined` where one leads nowhere. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return part[Number(name)] as unknown
    return isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined
  }, value)
}

/** The value with another where some names lead to, and objects on the way where there are none. */
export function withMember(value: Value, path: readonly string[], member: unknown): Entries {
  const [name, ...rest] = path
  const changed: Entries = { ...value }
  if (name === undefined) return changed
  const inner = Object.hasOwn(value, name) ? value[name] : undefined
  setEntry(changed, name, rest.length === 0 ? member : withMember(isObject(inner) ? inner : {}, rest, member))
  return changed
}
