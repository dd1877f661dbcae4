import type { SelectedField } from '../../routing/selection.ts'
import type { Item } from './objects.ts'
import { memberKey } from './show.ts'

/** What an object says its type is, or the fragment that all of it was selected by. */
export function typeNameOf(value: Item, fields: readonly SelectedField[]): string | undefined {
  return typeof value['__typename'] === 'string' ? value['__typename'] : fragmentOf(value, fields)
}

/** The place of an object, with its type where it may be of several; `undefined` where nothing says of which of them. */
export function typedPlace(value: Item, place: string, fields: readonly SelectedField[]): string | undefined {
  if (!fields.some(({ on }) => on !== undefined)) return place
  const typeName = typeNameOf(value, fields)
  return typeName === undefined ? undefined : `${place}<${typeName}>`
}

// The type of a fragment that all of an object was selected by.
function fragmentOf(value: Item, fields: readonly SelectedField[]): string | undefined {
  const types = new Set(fields.flatMap(({ on }) => on ?? []))
  const selected = new Set(fields.map(memberKey))
  return [...types].find((type) => {
    const own = fields.filter(({ on }) => on === undefined || on === type)
    const names = new Set(own.map(memberKey))
    return (
      own.every((field) => Object.hasOwn(value, memberKey(field))) &&
      Object.keys(value).every((name) => names.has(name) || !selected.has(name))
    )
  })
}
