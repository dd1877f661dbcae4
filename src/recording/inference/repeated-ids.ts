import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { findTemplate } from './templates.ts'

/** Ids that are repeated are this many different ones. */
const MIN_IDS = 2
const MAX_DEPTH = 5
/** More items say nothing that these do not. */
const MAX_ITEMS = 500
/** In a pointer, it stands for each entry of a list. */
const ENTRY = '-'

/** A text of an item, with the place of the entry that it is of, where it is in a list. */
interface Text {
  readonly path: readonly string[]
  readonly value: string
  readonly index?: number
}

/**
 * Where items repeat their ids within a member that has other things, too, such as the address in `meta`: texts with
 * `{id}` by pointers. Those of the entries of a list have `{index}` as well, and `-` in the pointer.
 */
export function findRepeatedIds(items: readonly Item[], place: ItemPlace): Readonly<Record<string, string>> {
  const named = items.slice(0, MAX_ITEMS).flatMap((item) => {
    const id = idIn(item, place)
    return id === undefined ? [] : [{ item, id }]
  })
  if (new Set(named.map(({ id }) => id)).size < MIN_IDS) return {}
  const texts = named.flatMap(({ item, id }) => textsIn(item).map((text) => ({ ...text, id })))
  const entries = [...groupBy(texts, ({ path }) => pointerTo(path))].flatMap(
    ([pointer, own]): [string, string][] => {
      const [first] = own
      if (first === undefined || first.path.length < 2 || pointer === pointerTo(place.id)) return []
      const whole = textWithId(own)
      if (whole !== undefined) return [[pointer, whole]]
      // Entries may have a text each.
      return [...groupBy(own, ({ index }) => index)].flatMap(([index, ofEntry]): [string, string][] => {
        const text = index === undefined ? undefined : textWithId(ofEntry)
        const path = first.path.map((name) => (name === ENTRY ? String(index) : name))
        return text === undefined ? [] : [[pointerTo(path), text]]
      })
    },
  )
  return Object.fromEntries(entries)
}

function textWithId(texts: readonly (Text & { readonly id: string })[]): string | undefined {
  const found = findTemplate(
    texts.map(({ value, id, index }) => ({ value, beside: { id, ...(index !== undefined && { index }) } })),
  )
  const isOfId = found?.fields.includes('id') === true && new Set(texts.map(({ id }) => id)).size >= MIN_IDS
  return isOfId && typeof found?.template === 'string' ? found.template : undefined
}

/** An item without what the entries of its lists repeat of its id. */
export function withoutRepeated(item: Item, repeats: Readonly<Record<string, string>>): Item {
  return Object.keys(repeats)
    .map((pointer) => pointer.split('/').slice(1))
    .filter((path) => path.includes(ENTRY))
    .reduce((rest, path) => without(rest, path) as Item, item)
}

// What is empty without it goes with it.
function without(value: unknown, [name = '', ...deeper]: readonly string[]): unknown {
  if (name === ENTRY && Array.isArray(value)) return value.map((entry: unknown) => without(entry, deeper))
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: own, ...rest } = value
  const left = deeper.length === 0 ? undefined : without(own, deeper)
  const isGone = left === undefined || (isObject(left) && Object.keys(left).length === 0)
  return isGone ? rest : { ...value, [name]: left }
}

function textsIn(value: unknown, above: readonly string[] = [], index?: number): readonly Text[] {
  if (typeof value === 'string') return [{ path: above, value, ...(index !== undefined && { index }) }]
  if (above.length >= MAX_DEPTH) return []
  // Entries of lists within lists have no place of their own.
  if (Array.isArray(value))
    return index === undefined ? value.flatMap((entry, at) => textsIn(entry, [...above, ENTRY], at)) : []
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, [...above, name], index))
}
