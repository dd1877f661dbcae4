import { isDeepStrictEqual } from 'node:util'
import type { ItemReference } from '../../engine/route-options.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { namesOf, plainPath, splitItemPath } from '../../routing/path-template.ts'
import { aliasesOf } from './aliases.ts'
import type { InferredRoute } from './infer-route.ts'
import { type Item, itemView, listIn } from './item-place.ts'
import { singular } from './names.ts'
import { itemsIn } from './resource-models.ts'
import { isAtResource, type Resource } from './resources.ts'
import { isScalar } from './values.ts'

/** More would be a table of data rather than words of the API. */
const MAX_VALUES = 50

/**
 * Members that name another thing, which requests name by its id alone: `{ status_id: 5 }` makes `status: { id: 5, name:
 * 'Closed' }`, of what is seen under that name, or of the items of the collection that is called so.
 * @param views the routes of a collection, as if items were all that is sent and answered
 * @param routes all of them, as they are
 */
export function findReferences(
  views: readonly InferredRoute[],
  { host }: Pick<Resource, 'host'>,
  resources: readonly Resource[],
  routes: readonly InferredRoute[],
): Readonly<Record<string, ItemReference>> {
  const writes = views
    .filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
    .flatMap(({ samples }) => samples)
    .flatMap(({ status, body, response }) =>
      status < 300 && isObject(body) && isObject(response) ? [{ body, item: response }] : [],
    )
  const items = views.flatMap(({ samples, output }) =>
    samples.filter(({ status }) => status < 300).flatMap(({ response }) => itemsIn(response, output)),
  )
  const fields = new Set(writes.flatMap(({ body }) => Object.keys(body)))
  return Object.fromEntries(
    [...fields].toSorted().flatMap((field): [string, ItemReference][] => {
      // It may be called alike: `owner: 7` makes `owner: { id: 7, … }`.
      const sent = writes.filter(
        ({ body, item }) => isScalar(body[field]) && (!Object.hasOwn(item, field) || isObject(item[field])),
      )
      const to = aliasesOf(field)
        .flatMap((alias) => (alias.endsWith('.id') ? [alias.slice(0, -'.id'.length)] : []))
        .concat(field)
        .find(
          (name) =>
            sent.length > 0 && sent.every(({ body, item }) => idOf(item[name]) === String(body[field])),
        )
      if (to === undefined) return []
      const values = valuesAt(items, to)
      const [first] = values
      if (first === undefined || values.length > MAX_VALUES) return []
      const at = (collectionOf(to, host, resources) ?? collectionWith(values, host, resources, routes))?.path
      return [[field, { to, ...(at !== undefined && { at }), values }]]
    }),
  )
}

function idOf(value: unknown): string | undefined {
  const id = isObject(value) ? value['id'] : undefined
  return isScalar(id) ? String(id) : undefined
}

// Of each thing, what was seen last.
function valuesAt(items: readonly Item[], name: string): readonly Item[] {
  const byId = new Map(
    items.flatMap((item) => {
      const value = item[name]
      const id = idOf(value)
      return id === undefined || !isObject(value) ? [] : [[id, value] as const]
    }),
  )
  const values = [...byId.values()]
  const names = Object.keys(values[0] ?? {}).toSorted()
  return values.every((value) => isDeepStrictEqual(Object.keys(value).toSorted(), names)) ? values : []
}

// The collection whose items say the same of those that were seen there.
function collectionWith(
  values: readonly Item[],
  host: string | undefined,
  resources: readonly Resource[],
  routes: readonly InferredRoute[],
): Resource | undefined {
  const plain = resources.filter(({ host: own, path }) => own === host && namesOf(path).length === 1)
  return plain.find((resource) => {
    const known = routes
      .filter((route) => isAtResource(resource, route) && !route.isFailure)
      .flatMap(({ samples }) => samples.filter(({ status }) => status < 300))
      .flatMap((sample) => [
        itemView(sample, resource.place).response,
        ...(listIn(sample.response)?.items ?? []),
      ])
      .filter(isObject)
    return values.length >= MIN_KNOWN && values.every((value) => known.some((item) => isSaidBy(item, value)))
  })
}

/** What fewer are like may be so by chance. */
const MIN_KNOWN = 2

// All that is said of it, which is more than its id.
function isSaidBy(item: Item, value: Item): boolean {
  const names = Object.keys(value)
  return names.length > 1 && names.every((name) => isDeepStrictEqual(item[name], value[name]))
}

function collectionOf(
  name: string,
  host: string | undefined,
  resources: readonly Resource[],
): Resource | undefined {
  return resources.find(({ host: own, path }) => {
    const last =
      plainPath(splitItemPath(path)?.collection ?? '')
        .split('/')
        .at(-1) ?? ''
    return own === host && namesOf(path).length === 1 && singular(last) === name
  })
}
