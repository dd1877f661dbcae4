import { isObject } from '../../../engine/schema/schema.ts'

/** A part of a tree of which nothing is known. */
export const UNKNOWN = Symbol('unknown')

/** A JSON value, of which parts may not be known. */
export type Tree = unknown

/** Objects of which other members may be there than those that are known. */
const partial = new WeakSet<object>()

/** What a path leads to: a value, nothing below a value that is there, or nothing of which the parent is missing, too. */
export type Found =
  | { readonly is: 'there'; readonly value: Tree }
  | { readonly is: 'missing' | 'orphan' | 'unknown'; readonly value?: undefined }

/** Follows keys into a tree; those of arrays are indexes. */
export function findIn(tree: Tree, keys: readonly string[]): Found {
  let at = tree
  for (const [depth, key] of keys.entries()) {
    if (at === UNKNOWN) return { is: 'unknown' }
    const next = memberOf(at, key)
    if (next === undefined) {
      if (isObject(at) && partial.has(at)) return { is: 'unknown' }
      return { is: depth === keys.length - 1 && isContainer(at) ? 'missing' : 'orphan' }
    }
    at = next
  }
  return at === UNKNOWN ? { is: 'unknown' } : { is: 'there', value: at }
}

/** The same tree with a value at a path; what is missing on the way there are objects. */
export function setIn(tree: Tree, keys: readonly string[], value: Tree): Tree {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (Array.isArray(tree)) {
    const index = indexIn(tree, key)
    return index === undefined ? tree : tree.with(index, setIn(tree[index], rest, value))
  }
  const before = isObject(tree) ? tree : {}
  const isPartial = tree === UNKNOWN || partial.has(before)
  const own = Object.hasOwn(before, key) ? before[key] : isPartial ? UNKNOWN : undefined
  const after = { ...before, [key]: setIn(own, rest, value) }
  return isPartial ? asPartial(after) : after
}

/** The same tree without what is at a path: members go, and the items of an array move up. */
export function removeIn(tree: Tree, keys: readonly string[]): Tree {
  const [key, ...rest] = keys
  if (key === undefined) return undefined
  const own = memberOf(tree, key)
  if (own === undefined) return tree
  if (rest.length > 0) return setIn(tree, [key], removeIn(own, rest))
  if (Array.isArray(tree)) return tree.toSpliced(Number(key), 1)
  const { [key]: _removed, ...others } = tree as Readonly<Record<string, unknown>>
  return partial.has(tree as object) ? asPartial(others) : others
}

/** Whether a recorded value is as far as it is known as in a tree. */
export function agrees(known: Tree, value: unknown): boolean {
  if (known === UNKNOWN) return true
  if (Array.isArray(known))
    return (
      Array.isArray(value) &&
      known.length === value.length &&
      known.every((each, at) => agrees(each, value[at]))
    )
  if (!isObject(known)) return known === value
  if (!isObject(value)) return false
  const names = Object.keys(known)
  return (
    names.every((name) => Object.hasOwn(value, name) && agrees(known[name], value[name])) &&
    (partial.has(known) || names.length === Object.keys(value).length)
  )
}

/** Calls with every part of a value that a tree did not know. */
export function eachUnknown(
  known: Tree,
  value: unknown,
  keys: readonly string[],
  found: (keys: readonly string[], value: unknown) => void,
): void {
  if (known === UNKNOWN) return found(keys, value)
  if (!isObject(known) || !isObject(value)) return
  for (const [name, part] of Object.entries(value))
    if (Object.hasOwn(known, name)) eachUnknown(known[name], part, [...keys, name], found)
    else if (partial.has(known)) found([...keys, name], part)
}

/** A value of which all is known, with what is not left out. */
export function knownIn(tree: Tree): unknown {
  if (tree === UNKNOWN) return undefined
  if (!isObject(tree)) return tree
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, part]) => (part === UNKNOWN ? [] : [[name, knownIn(part)]])),
  )
}

/** The index of an item that a key names. */
export function indexIn(items: readonly unknown[], key: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(key) && Number(key) < items.length ? Number(key) : undefined
}

export function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value)
}

function memberOf(value: Tree, key: string): Tree {
  if (Array.isArray(value)) {
    const index = indexIn(value, key)
    return index === undefined ? undefined : value[index]
  }
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function asPartial(value: object): object {
  partial.add(value)
  return value
}
