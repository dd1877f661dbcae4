import { amongOthers } from '../../../collections/among-others.ts'
import type { CompileOperation } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { isObject, type Schema } from '../../../engine/schema/schema.ts'
import { ItemExists } from '../../../errors.ts'
import type { Item } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/** What two people or pages of one service hardly share. */
const UNIQUE = /^(email|emailaddress|username|login|slug|handle)$/

// How a description says in words what a conflict is about: `a variable with the provided key already exists`.
const CONFLICT = /\b(already|in use|taken|exists?|existing|duplicates?|unique)\b/i

/**
 * The fields besides the id by which a route refuses an item as one that is there: those that paths look items up by,
 * those with a name of that kind, and the texts that its conflict (409) is said to be about. None where the description
 * speaks of no conflict.
 */
export function uniqueFieldsOf(
  { operation, method }: OpenApiRoute,
  home: Resource,
  map: ResourceMap,
): readonly string[] {
  const isWrite = ['POST', 'PUT', 'PATCH'].includes(method)
  const conflict = operation.responses.find(({ status }) => status === 409)
  if (!isWrite || conflict === undefined) return []
  const lookedUp = new Set(map.lookupFieldsOf(home))
  const isNamed = namedIn(conflict.description ?? '')
  return [...home.shape.fields.keys()].filter((name) => {
    const isSaid = isNamed(name) && isFreeText(home.shape.modelOf(name))
    return name !== home.idField && (lookedUp.has(name) || UNIQUE.test(plainName(name)) || isSaid)
  })
}

function namedIn(description: string): (name: string) => boolean {
  if (!CONFLICT.test(description)) return () => false
  const words = description.split(/[^A-Za-z0-9_]+/).map(plainName)
  const pairs = words.slice(1).map((word, index) => words[index] + word)
  const said = new Set([...words, ...pairs])
  return (name) => said.has(plainName(name))
}

function isFreeText(model: Schema): boolean {
  return kindOf(model) === 'string' && model['enum'] === undefined && model['const'] === undefined
}

/** An operation that stores no item with a value of another's that no two items have. */
export function withUnique(
  fields: readonly string[],
  { idPath = [] }: Resource,
  compile: CompileOperation,
): CompileOperation {
  if (fields.length === 0) return compile
  return (context) =>
    amongOthers(compile(context), idPath, ({ path, request: { body } }, item, others) => {
      if (!isObject(body)) return
      for (const field of fields) {
        const value = textIn(item.value, field)
        if (value === undefined || !Object.hasOwn(body, field)) continue
        const alike = others.filter((each) => textIn(each.value, field) === value)
        // What several have already, as an example that each of them shows, is not unique.
        if (alike.length === 1) throw new ItemExists(path, value, field)
      }
    })
}

function textIn(item: Item, field: string): string | undefined {
  const value = item[field]
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined
}
