import { follow, isJson, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import { successOf } from '../corpus/speech/spoken.ts'
import { itemsIn } from './client.ts'
import { scalarText, type Collection } from './collections.ts'
import { differenceOf } from './walk.ts'

/** How the examples of a list and of its item contradict each other, by the ids of the items that both show. */
export function contradictionsOf(
  document: Json,
  { list, item, field, idField }: Collection,
): ReadonlyMap<string, string> {
  const [lists, items] = [examplesOf(document, list), examplesOf(document, item)]
  const found = new Map<string, string>()
  for (const listed of lists.flatMap((each) => itemsIn(each, field) ?? []))
    for (const shown of items.filter(isJson)) {
      const id = scalarText(listed[idField])
      const difference = differenceOf(listed, shown)
      if (id !== undefined && id === scalarText(shown[idField]) && difference !== undefined)
        found.set(id, difference)
    }
  return found
}

function examplesOf(document: Json, { path, method }: Operation): readonly unknown[] {
  const item = follow(document, (document['paths'] as Json)[path])
  const own = item[method.toLowerCase()]
  return isJson(own) ? (successOf(document, own)?.examples ?? []) : []
}
