import { fieldsOf as modelFields } from '../engine/schema/fields.ts'
import { requiredOf } from '../engine/schema/keywords.ts'
import { linksOf } from '../engine/schema/linked.ts'
import { flatten } from '../engine/schema/merge.ts'
import { createResolver, isObject, LINK, propertiesOf } from '../engine/schema/schema.ts'
import { partAt } from '../engine/list-shape.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { storedModelOf } from './address.ts'

/** The fields of an item, those that links give, and those it may lack that none does. */
export function itemFields(
  route: RouteDefinition,
): Record<'fields' | 'spare' | 'linked', ReadonlySet<string>> {
  const model = storedModelOf(route)
  const resolve = createResolver(model)
  const flat = flatten(model, resolve)
  const [properties, required] = [propertiesOf(flat), requiredOf(flat)]
  const linked = properties.filter(([, field]) => isObject(field) && linksOf(field, resolve).length > 0)
  const spare = properties.filter(
    ([name, field]) => !required.includes(name) && !(isObject(field) && LINK in field),
  )
  return {
    fields: new Set(properties.map(([name]) => name)),
    spare: new Set(spare.map(([name]) => name)),
    linked: new Set(linked.map(([name]) => name)),
  }
}

/** The fields that requests of a route may send of an item. @param bodyPath where that is in their bodies */
export function sendableFields(
  { options: { input } }: RouteDefinition,
  bodyPath: readonly string[],
): ReadonlySet<string> {
  const model = partAt(input ?? {}, bodyPath)
  return new Set(isObject(model) ? modelFields(model, createResolver(model)).keys() : [])
}
