import type { Input } from '../../engine/input.ts'
import { remembered } from '../../engine/lazy.ts'
import { plainText } from '../../collections/order-values.ts'
import { pageParameterNames, plainName } from '../../collections/paging/page-parameters.ts'
import { setEntry, type Entries } from '../../engine/schema/schema.ts'
import type { OpenApiRoute } from './choose-response.ts'
import type { FieldModels } from './resource/item-shape.ts'
import { namesakes } from './resource/parent-fields.ts'
import { wordsOf } from './resource/reference-words.ts'

/** Gives the fields of what an operation answers that follow from a request. */
export type BoundFields = (input: Input) => Readonly<Entries> | undefined

/**
 * Finds the fields that the path and the required query of an operation decide: what `/users/{user_id}/settings`
 * answers is of that user. `undefined` where there are none.
 */
export function createBoundFields({ operation }: OpenApiRoute, models: FieldModels): BoundFields | undefined {
  const pages = pageParameterNames(operation)
  const bound = operation.parameters.flatMap(({ name, in: place, required }) => {
    const isNamed = place === 'path' ? namesOther(name) : place === 'query' && required && !pages.has(name)
    if (!isNamed || plainName(name) === 'id') return []
    return namesakes(models, name).flatMap(({ path: [field, ...deeper], read }) =>
      field === undefined || deeper.length > 0 ? [] : [{ name, field, read }],
    )
  })
  if (bound.length === 0) return undefined
  return (input) => {
    const given: Entries = {}
    for (const { name, field, read } of bound) {
      const value = input[name]
      const held = ['string', 'number', 'boolean'].includes(typeof value) ? read(plainText(value)) : undefined
      if (held !== undefined) setEntry(given, field, held)
    }
    return Object.keys(given).length === 0 ? undefined : given
  }
}

// Of a path, `user_id` says of which user something is; a `name` may be that of the thing, or of what it is part of.
const namesOther = remembered((name: string) => wordsOf(name).suffix !== undefined)
