import { isDeepStrictEqual } from 'node:util'
import type { Made, Observed, Origin } from '../../engine/observer.ts'
import { escapeKey } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { SeenItem } from './watched-store.ts'

/** Where one value of a body comes from. */
export interface Leaf {
  readonly pointer: string
  /** For people. */
  readonly detail: string
  readonly origin: string
  readonly [field: string]: string
}

/** What was seen while a body was made. */
export interface Seen {
  readonly observed: Observed
  readonly items: readonly SeenItem[]
  /** Values of the request, by the place and name they came with. */
  readonly sent: readonly SentValue[]
  /** Where all that nothing else explains comes from. */
  readonly rest: Readonly<Record<string, string>> & { readonly origin: string; readonly detail: string }
}

/** A value that a request brought. */
export interface SentValue {
  readonly name: string
  readonly place: string
  readonly value: unknown
  /** Whether it is a value to store, and no choice of what to answer. */
  readonly isContent: boolean
}

/** The most leaves that are explained. */
export const MAX_LEAVES = 2000

/** Where each leaf of a JSON body comes from, in the body's order, and how many more there are. */
export function leavesOf(
  body: unknown,
  seen: Seen,
): { readonly leaves: readonly Leaf[]; readonly left: number } {
  const leaves: Leaf[] = []
  let left = 0
  const roots = [...seen.observed.made]
  const add = (
    pointer: string,
    from: Record<string, string> & { readonly origin: string; readonly detail: string },
  ): void => {
    if (leaves.length >= MAX_LEAVES) left++
    else leaves.push({ pointer, ...from })
  }
  const walk = (value: unknown, pointer: string, name: string, at: Context): void => {
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value)
      const own = contextOf(value, at, seen, roots)
      if (entries.length > 0) {
        for (const [key, each] of entries)
          walk(
            each,
            `${pointer}/${escapeKey(key)}`,
            Array.isArray(value) ? name : key,
            within(own, key, each, value),
          )
        return
      }
      return add(pointer, explained(value, name, own, seen))
    }
    add(pointer, explained(value, name, at, seen))
  }
  walk(body, '', '', { made: candidates(body, roots), item: undefined, taken: undefined, path: '' })
  return { leaves, left }
}

/** What is known of the place of a value. */
interface Context {
  /** How it may have been made. */
  readonly made: readonly Made[]
  /** The item that it is a part of. */
  readonly item: SeenItem | undefined
  /** The origin of the value that it is a part of, taken as it was. */
  readonly taken: Origin | undefined
  /** Where it is below that item or value. */
  readonly path: string
}

function candidates(value: unknown, made: readonly Made[]): readonly Made[] {
  return made.filter((each) => isDeepStrictEqual(each.value, value)).toReversed()
}

// An object or list may be an item, an example, or what a model made, wherever it stands.
function contextOf(value: object, at: Context, { observed, items }: Seen, roots: readonly Made[]): Context {
  if (at.taken !== undefined || at.item !== undefined) return at
  const taken = observed.taken.find((each) => isDeepStrictEqual(each.value, value))
  if (taken !== undefined) return { made: [], item: undefined, taken: taken.origin, path: '' }
  const item = isObject(value) ? itemOf(value, items) : undefined
  const made = at.made.length > 0 ? at.made : nearest(value, roots)
  // What a link, an example or a constant gives whole has no parts of its own.
  const whole = innermost(
    made.find((each) => isDeepStrictEqual(each.value, value)),
    value,
  )
  if (whole?.origin !== undefined && (item === undefined || whole.origin.origin === 'link'))
    return { made: [], item: undefined, taken: whole.origin, path: '' }
  return item === undefined ? { ...at, made } : { made, item, taken: undefined, path: '' }
}

// The item that has most of an object's members; one that the request stored is last.
function itemOf(value: Record<string, unknown>, items: readonly SeenItem[]): SeenItem | undefined {
  const names = Object.keys(value)
  const shares = items.map((item) => ({
    item,
    share:
      names.filter(
        (name) => Object.hasOwn(item.value, name) && isDeepStrictEqual(item.value[name], value[name]),
      ).length - (item.isStored ? 0.5 : 0),
  }))
  const best = shares.reduce<(typeof shares)[number] | undefined>(
    (most, each) => (each.share > (most?.share ?? 0) ? each : most),
    undefined,
  )
  return best !== undefined && best.share * 2 >= names.length - 1 && best.share >= 1 ? best.item : undefined
}

// What a model made, though members of it were replaced afterwards.
function nearest(value: object, roots: readonly Made[]): readonly Made[] {
  const exact = candidates(value, roots)
  if (exact.length > 0 || !isObject(value)) return exact
  const shared = (made: Made): number =>
    isObject(made.value)
      ? Object.entries(made.value).filter(([name, each]) => isDeepStrictEqual(value[name], each)).length
      : 0
  return roots
    .map((made) => ({ made, share: shared(made) }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, 1)
    .map(({ made }) => made)
}

// Retries and choices make parts of their own at the same place.
function within(at: Context, key: string, value: unknown, holder: object): Context {
  const parts = at.made.flatMap((each) => partsAt(each, holder, key))
  const made = candidates(value, parts)
  return { ...at, made: made.length > 0 ? made : parts, path: `${at.path}/${escapeKey(key)}` }
}

function partsAt(made: Made, holder: object, key: string): readonly Made[] {
  return made.parts.flatMap((part) => {
    const isSamePlace =
      part.value !== null && typeof part.value === 'object' && isDeepStrictEqual(part.value, holder)
    if (isSamePlace) return partsAt(part, holder, key)
    return Array.isArray(holder) || isField(part, key) ? [part] : []
  })
}

function isField({ at: { field } }: Made, key: string): boolean {
  return field === key || field.endsWith(`.${key}`)
}

function explained(
  value: unknown,
  name: string,
  { made, item, taken, path }: Context,
  { sent, rest }: Seen,
): Record<string, string> & { readonly origin: string; readonly detail: string } {
  if (taken !== undefined) return { ...partOf(taken, path), detail: detailOf(partOf(taken, path)) }
  const exact = innermost(
    made.find((each) => isDeepStrictEqual(each.value, value)),
    value,
  )
  const link = exact?.origin?.origin === 'link' ? exact.origin : undefined
  if (link !== undefined) return { ...link, detail: detailOf(link) }
  const same = sent.filter((each) => each.name === name && isDeepStrictEqual(each.value, value))
  const content = same.find(({ isContent }) => isContent)
  if (content !== undefined) return inputOf(content)
  if (item !== undefined && (!item.isStored || exact === undefined)) {
    const stored = memberOf(item.value, path)
    if (isDeepStrictEqual(stored, value)) return storedIn(item)
  }
  if (exact?.origin !== undefined) return { ...exact.origin, detail: detailOf(exact.origin) }
  const [first] = same
  if (first !== undefined) return inputOf(first)
  return rest
}

// Of a fixture the pointer leads on; of all else it is said where the part is.
function partOf(taken: Origin, path: string): Origin {
  if (path === '') return taken
  return taken['file_pointer'] === undefined
    ? { ...taken, at: path }
    : { ...taken, file_pointer: taken['file_pointer'] + path }
}

// A link or choice is part of the value that it gives.
function innermost(made: Made | undefined, value: unknown): Made | undefined {
  if (made === undefined || made.origin?.origin === 'link') return made
  const part = made.parts.findLast((each) => isDeepStrictEqual(each.value, value))
  return part === undefined ? made : innermost(part, value)
}

function memberOf(value: unknown, path: string): unknown {
  let current = value
  for (const key of path.split('/').slice(1)) {
    if (current === null || typeof current !== 'object') return undefined
    current = (current as Readonly<Record<string, unknown>>)[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return current
}

function storedIn({ collection, id }: SeenItem): Leaf {
  return {
    ...{ origin: 'store', collection },
    ...(id !== undefined && { item: id }),
    detail: `stored in ${collection}${id === undefined ? '' : `, item ${id}`}`,
  } as unknown as Leaf
}

function inputOf({ name, place }: SentValue): Leaf {
  return { origin: 'input', field: name, place, detail: `sent in the ${place} as ${name}` } as unknown as Leaf
}

function detailOf(from: Origin): string {
  const {
    origin,
    model = '',
    by = '',
    link = '',
    field,
    file,
    file_pointer: pointer,
    faker,
    argument,
    collection,
    item,
  } = from
  if (origin === 'link') {
    const given =
      file === undefined
        ? (field ?? faker ?? argument)
        : `${file}${pointer === undefined ? '' : ` at ${pointer}`}`
    return `${model}: its link ${link}${given === undefined ? '' : ` (${given})`}`
  }
  if (origin === 'store') return `${collection ?? ''}${item === undefined ? '' : `, item ${item}`}: ${by}`
  if (origin === 'seed') return `${model}: drawn from the seed by ${by}`
  if (origin === 'enum') return `${model}: one of its enum, drawn from the seed`
  const name = from['name'] === undefined || from['name'] === 'default' ? '' : ` ${from['name']}`
  return `${model}: its ${origin}${name}`
}
