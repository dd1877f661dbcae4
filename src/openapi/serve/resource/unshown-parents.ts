import { createFieldFinder, type ItemFields } from '../../../collections/find-field.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { lazy } from '../../../engine/lazy.ts'
import { isObject, type Schema } from '../../../engine/schema/schema.ts'
import { bodyFieldsOf } from './body-fields.ts'
import { createIdForm } from './resource-ids.ts'
import { wordsOf } from './reference-words.ts'
import type { Reference } from './references.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/** A reference that items have and do not show. */
export type UnshownParent = Reference & { readonly unshown: Schema }

/**
 * Other items that those of a resource belong to without showing it: who makes one says so (`folder_id` in the body), and
 * a parameter of the same name chooses from their list.
 */
export function findUnshownParents(
  { list, createdBy, shape, template, evidence }: Resource,
  map: ResourceMap,
): readonly UnshownParent[] {
  const operation = list?.route.operation
  const created = createdBy?.operation
  if (operation === undefined || created === undefined) return []
  const sent = lazy(
    () => new Map(bodyFieldsOf(created, [evidence.singular]).map((name) => [plainName(name), name])),
  )
  const finder = createFieldFinder(shape)
  return operation.parameters.flatMap(({ name, in: place, model }): UnshownParent[] => {
    if (place !== 'query' || finder.field(name) !== undefined) return []
    const noun = wordsOf(name).noun.join('')
    const target = map.ofNoun(noun, template).find((each) => each.parents.length === 0)
    if (target === undefined || target.template === template) return []
    const field = sent().get(plainName(name))
    if (field === undefined) return []
    const unshown = isObject(model) ? model : {}
    const asId = createIdForm(unshown)
    return [
      { path: [field], target, noun, asId, shape: undefined, isOptional: true, isNullable: false, unshown },
    ]
  })
}

/** The fields of items with those that they do not show. */
export function withUnshown({ fields, modelOf }: ItemFields, references: readonly Reference[]): ItemFields {
  const unshown = new Map(
    references.flatMap(({ path: [name = ''], unshown: model }) =>
      model === undefined ? [] : [[name, model]],
    ),
  )
  if (unshown.size === 0) return { fields, modelOf }
  return {
    fields: new Map([...fields, ...unshown]),
    modelOf: (name) => (fields.has(name) ? undefined : unshown.get(name)) ?? modelOf(name),
  }
}
