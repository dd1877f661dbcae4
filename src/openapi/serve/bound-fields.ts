import type { Input } from '../../engine/input.ts'
import { remembered } from '../../engine/lazy.ts'
import { plainText } from '../../collections/order-values.ts'
import { pageParameterNames, plainName } from '../../collections/paging/page-parameters.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { kindOf } from '../../engine/schema/keywords.ts'
import { setEntry, type Entries } from '../../engine/schema/schema.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import type { OpenApiRoute } from './choose-response.ts'
import type { FieldModels } from './resource/item-shape.ts'
import { namesakes } from './resource/parent-fields.ts'
import { wordsOf } from './resource/reference-words.ts'

/** Gives the fields of what an operation answers that follow from a request. */
export type BoundFields = (input: Input) => Readonly<Entries> | undefined

/** How an answer about an item that is no longer may say so. */
export const REMOVED = { deleted: true, success: true, ok: true }

/**
 * Finds the fields that the path and the required query of an operation decide: what `/users/{user_id}/settings`
 * answers is of that user, and what removes an item says so. `undefined` where there are none.
 */
export function createBoundFields(
  { operation, method, path }: OpenApiRoute,
  models: FieldModels,
): BoundFields | undefined {
  const pages = pageParameterNames(operation)
  const bound = operation.parameters.flatMap(({ name, in: place, required }) => {
    const isNamed = place === 'path' ? namesOther(name) : place === 'query' && required && !pages.has(name)
    if (!isNamed || plainName(name) === 'id') return []
    return namesakes(models, name).flatMap(({ path: [field, ...deeper], read }) =>
      field === undefined || deeper.length > 0 ? [] : [{ name, field, read }],
    )
  })
  const isRemoval = method === 'DELETE' && path.endsWith('}')
  const removed = isRemoval ? removedFields(models) : {}
  const own = isRemoval ? splitItemPath(path)?.parameter : undefined
  if (own !== undefined)
    for (const {
      path: [field, ...deeper],
      read,
    } of namesakes(models, 'id'))
      if (field !== undefined && deeper.length === 0) bound.push({ name: own, field, read })
  if (bound.length === 0 && Object.keys(removed).length === 0) return undefined
  return (input) => {
    const given: Entries = { ...removed }
    for (const { name, field, read } of bound) {
      const value = input[name]
      const held = ['string', 'number', 'boolean'].includes(typeof value) ? read(plainText(value)) : undefined
      if (held !== undefined) setEntry(given, field, held)
    }
    return Object.keys(given).length === 0 ? undefined : given
  }
}

function removedFields({ fields, modelOf }: FieldModels): Readonly<Entries> {
  const said = Object.entries(REMOVED).filter(
    ([name, value]) =>
      fields.has(name) && kindOf(modelOf(name)) === 'boolean' && createChecker(modelOf(name)).fits(value),
  )
  return Object.fromEntries(said)
}

// Of a path, `user_id` says of which user something is; a `name` may be that of the thing, or of what it is part of.
const namesOther = remembered((name: string) => wordsOf(name).suffix !== undefined)
