import { memberAt } from '../../engine/schema/member.ts'
import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { orEmpty, schemaOfValues } from '../../shape/observed-schema.ts'
import type { InferredRoute } from './infer-route.ts'
import { changePart } from './model-fields.ts'
import { elsewhereOf, type Resource } from './resources.ts'

/**
 * Routes of which those that change or replace an item take all that its creation takes, and of the same types: that a
 * recorded change sent one field does not mean that others cannot be sent. What replaces an item takes what it was seen
 * to leave out of one, too.
 */
export function withSiblingFields(
  routes: readonly InferredRoute[],
  resources: readonly Resource[],
): readonly InferredRoute[] {
  return resources.reduce((all, resource) => {
    const { host, path, collection, place } = resource
    const making = all.find(
      (route) =>
        route.method === 'POST' && route.host === host && route.path === collection && !route.isFailure,
    )
    const made = path === collection ? undefined : making?.input && itemIn(making.input, place.body)
    const { gone } = resource.writes
    if (made === undefined && gone.size === 0) return all
    const left = {
      properties: Object.fromEntries([...gone].map(([name, values]) => [name, schemaOfValues(values)])),
    }
    return all.map((route) => {
      const isWrite =
        ['PUT', 'PATCH', 'POST'].includes(route.method) && route.samples.some(({ status }) => status < 300)
      const isOfItem = route.path === path || elsewhereOf(resource, route)?.replaces === true
      if (route.host !== host || !isOfItem || !isWrite || route.input === undefined) return route
      const more = [made ?? {}, route.method === 'PUT' ? left : {}]
      return { ...route, input: changePart(route.input, place.body, (item) => more.reduce(withFields, item)) }
    })
  }, routes)
}

function itemIn(input: Schema, body: readonly string[]): Schema | undefined {
  const path = body.flatMap((name) => ['properties', name])
  const item = memberAt(input, path)
  return isObject(item) ? item : undefined
}

function withFields(item: Schema, made: Schema): Schema {
  const own = propertiesOf(item)
  const names = new Set(own.map(([name]) => name))
  const more = propertiesOf(made).flatMap(([name, part]): [string, SchemaOrBoolean][] =>
    names.has(name) ? [] : [[name, orEmpty(part)]],
  )
  return more.length === 0 ? item : { ...item, properties: Object.fromEntries([...own, ...more]) }
}
