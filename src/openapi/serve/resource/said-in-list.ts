import { createChecker } from '../../../engine/schema/checker.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import { createResolver, type Entries, type Schema } from '../../../engine/schema/schema.ts'
import type { Resource } from './resource.ts'

/** What the model of a list says of its items' fields, of which the model of an item says nothing. */
export function saidInList({ list, shape, idPath }: Resource): Entries {
  const listed = list?.list
  if (listed === undefined || listed.item === shape.item) return {}
  const names = [...listed.fields.keys()].filter((name) => shape.fields.has(name) && name !== idPath?.[0])
  return Object.fromEntries(
    names.flatMap((name) => {
      const own = shape.modelOf(name)
      const [value] = said(own).length === 0 ? said(listed.modelOf(name)) : []
      if (value === undefined || (typeof value === 'object' && value !== null)) return []
      return createChecker(own).fits(value) && createChecker(listed.modelOf(name)).fits(value)
        ? [[name, value]]
        : []
    }),
  )
}

function said(model: Schema): readonly unknown[] {
  return saidOf(model, createResolver(model))
}
