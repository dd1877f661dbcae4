import { isObject } from '../../../engine/schema/schema.ts'
import { findIn, indexIn, removeIn, setIn, type Tree, UNKNOWN } from './tree.ts'

/**
 * What a method does with the value that it is given: `set` makes or replaces, `insert` makes, in an array before the
 * item that is there, `replace` needs one that is there, `append` adds to an array and else sets, `push` adds under a
 * key that the server makes up, `merge` gives an object members.
 */
export type Effect = 'set' | 'insert' | 'replace' | 'append' | 'push' | 'merge' | 'remove'

/** What methods may do; what comes first is taken where a recording does not distinguish them. */
export const EFFECTS: Readonly<Record<string, readonly Effect[]>> = {
  PUT: ['set', 'insert', 'replace'],
  POST: ['append', 'push', 'set', 'merge'],
  PATCH: ['merge', 'replace', 'set'],
  DELETE: ['remove'],
}

/** Why a request may not have its usual effect. */
export type Obstacle = 'missing' | 'orphan' | 'exists'

/** What stands in the way of a request, if anything may; `undefined` for a read of what is there, and its like. */
export function obstacleIn(
  tree: Tree,
  keys: readonly string[],
  effect: Effect | 'read',
): Obstacle | undefined {
  const { is } = findIn(tree, keys)
  if (is === 'orphan') return 'orphan'
  if (is === 'missing') return /^(read|remove|replace|merge)$/.test(effect) ? 'missing' : undefined
  const parent = findIn(tree, keys.slice(0, -1)).value
  const isItem = keys.length > 0 && Array.isArray(parent)
  return is === 'there' && effect === 'insert' && !isItem ? 'exists' : undefined
}

/** The tree after a request. @param key the one that the server made up, for `push` */
export function apply(
  tree: Tree,
  effect: Effect,
  keys: readonly string[],
  value: unknown,
  key: string | undefined,
): Tree {
  const { is, value: before } = findIn(tree, keys)
  const [last = ''] = keys.slice(-1)
  switch (effect) {
    case 'remove':
      return is === 'unknown' ? tree : removeIn(tree, keys)
    case 'push':
      return key === undefined ? setIn(tree, keys, UNKNOWN) : setIn(tree, [...keys, key], value)
    case 'append':
      if (is === 'unknown') return setIn(tree, keys, UNKNOWN)
      return setIn(tree, keys, Array.isArray(before) ? [...(before as unknown[]), value] : value)
    case 'merge':
      if (!isObject(value)) return setIn(tree, keys, value)
      if (is === 'unknown') return setIn(tree, keys, UNKNOWN)
      return Object.entries(value).reduce(
        (all, [name, part]) =>
          part === null ? removeIn(all, [...keys, name]) : setIn(all, [...keys, name], part),
        isObject(before) ? tree : setIn(tree, keys, {}),
      )
    case 'insert': {
      const parent = findIn(tree, keys.slice(0, -1)).value
      const index = Array.isArray(parent) ? indexIn(parent, last) : undefined
      if (index === undefined) return setIn(tree, keys, value)
      return setIn(tree, keys.slice(0, -1), (parent as unknown[]).toSpliced(index, 0, value))
    }
    default:
      return setIn(tree, keys, value)
  }
}
