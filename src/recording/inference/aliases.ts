import { isObject } from '../../engine/schema/schema.ts'
import type { Item } from './item-place.ts'
import { isScalar } from './values.ts'

/**
 * The fields that a parameter may mean which has another name: `author_id`, `authorId` and `author` say the id of the
 * author that items have as `author: { id }` or under one of the other names.
 */
export function aliasesOf(parameter: string): readonly string[] {
  const stem = /^(.+?)(?:[_-]?id|Id|ID)$/.exec(parameter)?.[1] ?? parameter
  const names = [`${stem}.id`, `${stem}_id`, `${stem}Id`, stem]
  return [...names, ...(stem === parameter ? [`${stem}.name`] : [])].filter((name) => name !== parameter)
}

/**
 * The fields within items that a parameter may mean by what they are in: `author` those of an object of that name, and
 * `tag` a list called `tags` or `tagList`.
 */
export function fieldsNamed(parameter: string, items: readonly Item[]): readonly string[] {
  const plain = parameter.toLowerCase()
  const found = items.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) => {
      if (Array.isArray(value))
        return name.toLowerCase().startsWith(plain) && value.every(isScalar) ? [name] : []
      if (name.toLowerCase() !== plain || !isObject(value)) return []
      return Object.keys(value).flatMap((each) => (isScalar(value[each]) ? [`${name}.${each}`] : []))
    }),
  )
  return [...new Set(found)]
}

/**
 * The fields of which all items of a list have the value that its request gave, whatever they are called, where that was
 * not the same for all lists.
 */
export function fieldsLike(
  lists: readonly { readonly value: string | undefined; readonly items: readonly Item[] }[],
): readonly string[] {
  const full = lists.filter(({ items }) => items.length > 0)
  if (new Set(full.map(({ value }) => value)).size < 2) return []
  return Object.keys(full[0]?.items[0] ?? {}).filter((name) =>
    full.every(({ value, items }) =>
      items.every((item) => isScalar(item[name]) && String(item[name]) === value),
    ),
  )
}
