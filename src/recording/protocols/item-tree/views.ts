import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../engine/schema/schema.ts'
import { madeKind } from '../../../shape/made-values.ts'
import { isListOf } from './find-roots.ts'
import { type Form, placeIn } from './places.ts'
import type { Version } from './play.ts'
import type { Rule } from './rules.ts'

/** How an item is shown. */
export interface View {
  /** Members that are not as the item has them. */
  readonly fixed: Readonly<Record<string, Rule>>
  readonly omits: readonly string[]
  /** The member that lists what is in it, and how that is shown. */
  readonly lists?: { readonly name: string; readonly by: Listing }
}

/** How what is in a folder is shown. */
export interface Listing {
  readonly leaf?: View
  readonly folder?: View
}

/** What an answer is made of. */
export type Template =
  | { readonly item: 'own' | 'made' | 'other' | 'before'; readonly view: View }
  | { readonly list: Listing }
  | { readonly members: Readonly<Record<string, Template>> }
  | { readonly each: readonly Template[] }
  | { readonly rule: Rule }
  /** A text with what it repeats in braces. */
  | { readonly text: string }

/** What is known of an answer when its template is made. */
interface Shown {
  readonly form: Form
  readonly rest: string
  readonly refersTo: (
    path: string,
    index: number,
  ) => { readonly item: 'own' | 'made' | 'other' | 'before'; readonly version: Version } | undefined
  readonly versions: ReadonlyMap<string, Version>
  readonly isFolder: (version: Version) => boolean
  readonly folderMember: string | undefined
  readonly count: number
  readonly counters: ReadonlySet<string>
  /** A text with what it repeats of the request in braces. */
  readonly repeats: (text: string) => string
}

/** What an answer is made of. */
export function templateOf(answered: unknown, shown: Shown): Template {
  const seen = new Map<string, number>()
  const walk = (value: unknown, name: string): Template => {
    const { form, rest } = shown
    const isEmptyList = Array.isArray(value) && value.length === 0 && name === shown.folderMember
    if (isEmptyList || isListOf(form, value, rest)) return { list: listingOf(value as unknown[], shown) }
    const path = placeIn(form, value)
    if (path !== undefined && isObject(value)) {
      const index = seen.get(path) ?? 0
      seen.set(path, index + 1)
      const found = shown.refersTo(path, index)
      if (found !== undefined) return { item: found.item, view: viewOf(value, path, found.version, shown) }
    }
    if (Array.isArray(value)) return { each: value.map((each: unknown) => walk(each, '')) }
    if (isObject(value))
      return {
        members: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part, key)])),
      }
    if (value === shown.count && shown.counters.size > 0) return { rule: { is: 'count' } }
    if (typeof value !== 'string') return { rule: { is: 'constant', value } }
    return madeKind(value) === undefined ? { text: shown.repeats(value) } : { rule: { is: 'made', value } }
  }
  return walk(answered, '')
}

function viewOf(
  value: Readonly<Record<string, unknown>>,
  path: string,
  { members }: Version,
  shown: Shown,
): View {
  const fixed: Record<string, Rule> = {}
  let lists: View['lists']
  for (const [name, part] of Object.entries(value)) {
    const own = Object.hasOwn(members, name) ? members[name] : undefined
    const isEmptyList = Array.isArray(part) && part.length === 0 && name === shown.folderMember
    if (isEmptyList || isListOf(shown.form, part, path))
      lists = { name, by: listingOf(part as unknown[], { ...shown, rest: path }) }
    else if (name === shown.form.member || isDeepStrictEqual(own, part) || isMoment(own, part)) continue
    else if (shown.counters.has(name) && typeof own === 'number') {
      if (part === shown.count) fixed[name] = { is: 'count' }
    } else fixed[name] = { is: 'constant', value: part }
  }
  const omits = Object.keys(members).filter((name) => !Object.hasOwn(value, name))
  return { fixed, omits, ...(lists !== undefined && { lists }) }
}

function isMoment(own: unknown, part: unknown): boolean {
  return (
    typeof own === 'string' &&
    typeof part === 'string' &&
    madeKind(own) !== undefined &&
    madeKind(part) !== undefined
  )
}

function listingOf(values: readonly unknown[], shown: Shown): Listing {
  const found: { leaf?: View; folder?: View } = {}
  for (const value of values) {
    const path = placeIn(shown.form, value)
    const version = path === undefined ? undefined : shown.versions.get(path)
    if (path === undefined || version === undefined || !isObject(value)) continue
    const kind = shown.isFolder(version) ? 'folder' : 'leaf'
    const view = viewOf(value, path, version, shown)
    if (found[kind]?.lists === undefined)
      found[kind] = found[kind] === undefined || view.lists !== undefined ? view : found[kind]
  }
  return found
}
