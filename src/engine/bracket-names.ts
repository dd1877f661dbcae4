import { entryOf } from '../grouping.ts'
import { setEntry, type Entries } from './schema/schema.ts'

/** What names with brackets hold: texts, lists of what is below empty brackets, and what is below each name. */
export type BracketTree = string | readonly BracketTree[] | ReadonlyMap<string, BracketTree>

/** Deeper names are a part of the name. */
const MAX_DEPTH = 32

/**
 * The values written with brackets after a name: `a[b]=1`, `a[b][c]=2`, `a[]=3`. A name that ends in empty brackets
 * holds a list, any other repeated name its last value.
 */
export function bracketTree(
  pairs: Iterable<readonly [name: string, raw: string]>,
  name: string,
  decode: (raw: string) => string,
): ReadonlyMap<string, BracketTree> | undefined {
  const root: Branch = new Map()
  for (const [written, raw] of pairs) {
    const keys = written.startsWith(`${name}[`) ? bracketKeys(written.slice(name.length)) : undefined
    if (keys !== undefined) grow(root, keys, decode(raw))
  }
  return root.size === 0 ? undefined : root
}

type Branch = Map<string, string | BracketTree[] | Branch>

function bracketKeys(brackets: string): readonly string[] | undefined {
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined
  const keys = brackets.slice(1, -1).split('][')
  return keys.length > MAX_DEPTH ? undefined : keys
}

function grow(root: Branch, keys: readonly string[], text: string): void {
  let branch = root
  for (const key of keys.slice(0, -1)) {
    const below = branch.get(key)
    const next: Branch = below instanceof Map ? below : new Map()
    branch.set(key, next)
    branch = next
  }
  const last = keys.at(-1) ?? ''
  if (last !== '') return void branch.set(last, text)
  const known = branch.get('')
  if (Array.isArray(known)) known.push(text)
  else branch.set('', [text])
}

/** `a[]=x&a[]=y` and `a[0]=x&a[1]=y` are lists to those who write them. */
export function itemsByIndex<Tree>(
  tree: ReadonlyMap<string, Tree | readonly Tree[]>,
): readonly Tree[] | undefined {
  const entries = [...tree]
  if (!entries.every(([name]) => /^\d*$/.test(name))) return undefined
  return entries
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .flatMap(([name, part]) =>
      name === '' && Array.isArray(part) ? (part as readonly Tree[]) : [part as Tree],
    )
}

/** The fields of an urlencoded form without a model: texts, lists of those that came several times, and what brackets hold. */
export function readForm(text: string): Entries {
  const fields: Entries = {}
  const trees = new Map<string, Branch>()
  for (const [written, value] of new URLSearchParams(text)) {
    const [name = ''] = /^.[^[]*(?=(\[[^[\]]*\])+$)/s.exec(written) ?? [written]
    const keys = name === written ? undefined : bracketKeys(written.slice(name.length))
    if (keys !== undefined) {
      const tree = entryOf<string, Branch>(trees, name, () => new Map())
      grow(tree, keys, value)
      setEntry(fields, name, tree)
    } else if (!trees.has(written)) {
      const known = Object.hasOwn(fields, written) ? fields[written] : undefined
      if (Array.isArray(known)) known.push(value)
      else setEntry(fields, written, known === undefined ? value : [known, value])
    }
  }
  for (const [name, tree] of trees) setEntry(fields, name, plainOf(tree))
  return fields
}

function plainOf(tree: BracketTree): unknown {
  if (typeof tree === 'string') return tree
  const items =
    tree instanceof Map
      ? itemsByIndex(tree as ReadonlyMap<string, BracketTree>)
      : (tree as readonly BracketTree[])
  if (items !== undefined) return items.map(plainOf)
  const object: Entries = {}
  for (const [name, part] of tree as ReadonlyMap<string, BracketTree>) setEntry(object, name, plainOf(part))
  return object
}
