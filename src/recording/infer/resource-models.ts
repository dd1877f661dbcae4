import { isObject, type Schema } from '../../engine/model/schema.ts'
import { attachLinks } from './attach-links.ts'
import { linkOfEcho, type InferredRoute } from './infer-routes.ts'
import { sharedModel } from './output-model.ts'
import type { Resource } from './resources.ts'

/** The one model of a collection's items, from all that its routes answered. */
export function resourceModel(routes: readonly InferredRoute[]): Schema {
  const values = routes.map(({ output, samples, status }) =>
    samples
      .filter((sample) => sample.status === status)
      .flatMap(({ response }) => itemsIn(response, output?.form ?? 'single')),
  )
  return sharedModel(values.filter((list) => list.length > 0))
}

/** The model as a route uses it: one that writes takes from requests what they say, and the others read the store. */
export function storedModel(model: Schema, idField: string, { method, echoes }: InferredRoute): Schema {
  if (method === 'GET') return model
  const written = echoes.filter(({ source }) => source.in === 'body' || source.in === 'header')
  // Ids that are counted meet other small numbers by chance.
  const links = written
    .filter(({ field, source }) => field !== idField || source.name === idField)
    .map(linkOfEcho)
  return attachLinks(model, links)
}

/** The routes of a resource: its items' own, and its collection's that answer items. */
export function routesOf({ path }: Resource, routes: readonly InferredRoute[]): readonly InferredRoute[] {
  const collection = path.slice(0, path.lastIndexOf('/'))
  return routes.filter(
    (route) =>
      route.output !== undefined &&
      ((route.path === path && route.method !== 'DELETE') ||
        (route.path === collection && ['GET', 'POST'].includes(route.method))),
  )
}

/** The query parameter that a stored list is filtered by. */
export function filterOf({ output, echoes }: InferredRoute): string | undefined {
  const prefix = output?.form === 'list' ? '[].' : 'items[].'
  return echoes.find(({ field, source }) => source.in === 'query' && field === prefix + source.name)?.source
    .name
}

function itemsIn(response: unknown, form: string): readonly unknown[] {
  const list =
    form === 'list' ? response : form === 'single' ? [response] : isObject(response) ? response['items'] : []
  return Array.isArray(list) ? (list as readonly unknown[]).filter((item) => isObject(item)) : []
}
