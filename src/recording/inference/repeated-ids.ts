import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { findTemplate } from './templates.ts'

/** Ids that are repeated are this many different ones. */
const MIN_IDS = 2
const MAX_DEPTH = 5

/**
 * Where items repeat their ids within a member that has other things, too, such as the address in `meta`: texts with
 * `{id}` by pointers.
 */
export function findRepeatedIds(items: readonly Item[], place: ItemPlace): Readonly<Record<string, string>> {
  const named = items.flatMap((item) => {
    const id = idIn(item, place)
    return id === undefined ? [] : [{ item, id }]
  })
  if (new Set(named.map(({ id }) => id)).size < MIN_IDS) return {}
  const paths = named.slice(0, 1).flatMap(({ item }) => textsIn(item))
  const entries = paths.flatMap((path): [string, string][] => {
    if (path.length < 2 || path.join('.') === place.id.join('.')) return []
    const found = findTemplate(
      named.flatMap(({ item, id }) => {
        const value = memberAt(item, path)
        return value === undefined ? [] : [{ value, beside: { id } }]
      }),
    )
    return typeof found?.template === 'string' ? [[pointerTo(path), found.template]] : []
  })
  return Object.fromEntries(entries)
}

function textsIn(value: unknown, above: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === 'string') return [above]
  if (!isObject(value) || above.length >= MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, [...above, name]))
}
