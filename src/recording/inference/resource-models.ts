import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'
import { attachLinks, openOutput } from './model-fields.ts'
import { linkOfEcho, type InferredRoute } from './infer-route.ts'
import { itemPrefix, type OutputModel, sharedModel } from './models.ts'
import type { Resource } from './resources.ts'

/** The one model of a collection's items, from all that its routes answered. */
export function resourceModel(routes: readonly InferredRoute[]): Schema {
  const values = routes.map(({ output, samples, status }) =>
    samples.filter((sample) => sample.status === status).flatMap(({ response }) => itemsIn(response, output)),
  )
  const model = sharedModel(values.filter((list) => list.length > 0))
  // What is written may be anything that a request has, whichever route reads it.
  return routes.reduce(
    (opened, { echoes, input, output }) => openOutput(opened, echoes, input, listPrefix(output)),
    model,
  )
}

/** The model of the items that a route reads or writes. */
export interface StoredModel {
  readonly model: Schema
  /** The field that holds the id. */
  readonly idField: string
}

/**
 * The fields that a route which writes takes from its requests, as keywords beside a reference to the model; `undefined`
 * for a route that takes none, and for those that read the store.
 */
export function linkedFields(
  { model, idField }: StoredModel,
  { method, echoes }: InferredRoute,
): Schema | undefined {
  if (method === 'GET') return undefined
  const written = echoes.filter(({ source }) => source.in === 'body' || source.in === 'header')
  // Ids that are counted meet other small numbers by chance.
  const links = written
    .filter(({ field, source }) => field !== idField || source.name === idField)
    .map(linkOfEcho)
  const properties = (model['properties'] ?? {}) as Readonly<Record<string, unknown>>
  const own = links.filter(({ field }) => Object.hasOwn(properties, field.split(/[.[]/)[0] ?? ''))
  if (own.length === 0) return undefined
  const linked = attachLinks(model, own)['properties'] as Readonly<Record<string, Schema>>
  const changed = Object.entries(linked).filter(([name, part]) => part !== properties[name])
  // A plain field's own keywords need not be said twice, but for its type, which shows a reader what is linked.
  const short = changed.map(([name, { type, ...part }]) => [
    name,
    { ...(type !== undefined && { type }), ...(part[LINK] === undefined ? part : { [LINK]: part[LINK] }) },
  ])
  return { properties: Object.fromEntries(short) as Record<string, Schema> }
}

/** The routes of a resource: its items' own, and its collection's that answer items. */
export function routesOf(
  { host, path, collection }: Resource,
  routes: readonly InferredRoute[],
): readonly InferredRoute[] {
  return routes.filter(
    (route) =>
      route.output !== undefined &&
      !route.isFailure &&
      route.host === host &&
      ((route.path === path && route.method !== 'DELETE') ||
        (route.path === collection && ['GET', 'POST'].includes(route.method))),
  )
}

/** The query parameter that a stored list is filtered by. */
export function filterOf({ output, echoes }: InferredRoute): string | undefined {
  const prefix = listPrefix(output)
  return echoes.find(({ field, source }) => source.in === 'query' && field === prefix + source.name)?.source
    .name
}

// What fields of an item begin with, wherever the items stand.
function listPrefix(output: OutputModel | undefined): string {
  if (output?.form === 'paged') return `${output.list ?? ''}[].`
  return output === undefined ? '' : itemPrefix(output)
}

function itemsIn(response: unknown, output: OutputModel | undefined): readonly unknown[] {
  const { form = 'single', list = 'items' } = output ?? {}
  const isBare = form === 'list' || (form === 'paged' && output?.list === undefined)
  const all = isBare ? response : form === 'single' ? [response] : isObject(response) ? response[list] : []
  return Array.isArray(all) ? (all as readonly unknown[]).filter((item) => isObject(item)) : []
}
