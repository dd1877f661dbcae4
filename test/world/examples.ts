import { follow, isJson, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import { saidOf, successOf } from '../corpus/speech/spoken.ts'
import { itemsIn } from './client.ts'
import { scalarText, type Collection, type Examples } from './collections.ts'
import { differenceOf } from './place.ts'

/** What the examples of a description say of a collection's items. */
export function examplesOf(document: Json, { list, item, field, idField }: Collection): Examples {
  const [lists, shown] = [saidBy(document, list), saidBy(document, item).filter(isJson)]
  const listed = lists.flatMap((each) => itemsIn(each, field) ?? [])
  const contradictions = new Map<string, string>()
  for (const one of listed)
    for (const other of shown) {
      const id = scalarText(one[idField])
      const difference = differenceOf(one, other)
      if (id !== undefined && id === scalarText(other[idField]) && difference !== undefined)
        contradictions.set(id, difference)
    }
  return { contradictions, items: [...listed, ...shown] }
}

// The examples of an answer, and those of its schema.
function saidBy(document: Json, { name, method }: Operation): readonly unknown[] {
  const item = follow(document, (document['paths'] as Json)[name.slice(method.length + 1)])
  const own = item[method.toLowerCase()]
  const said = isJson(own) ? successOf(document, own) : undefined
  return said === undefined ? [] : [...said.examples, ...saidOf(document, said.schema)]
}
