import { isDeepStrictEqual } from 'node:util'
import type { ItemReference } from '../../engine/route-options.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { namesOf, plainPath, splitItemPath } from '../../routing/path-template.ts'
import { aliasesOf } from './aliases.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Item } from './item-place.ts'
import { singular } from './names.ts'
import { itemsIn } from './resource-models.ts'
import type { Resource } from './resources.ts'
import { isScalar } from './values.ts'

/** More would be a table of data rather than words of the API. */
const MAX_VALUES = 50

/**
 * Members that name another thing, which requests name by its id alone: `{ status_id: 5 }` makes `status: { id: 5, name:
 * 'Closed' }`, of what is seen under that name, or of the items of the collection that is called so.
 * @param views the routes of a collection, as if items were all that is sent and answered
 */
export function findReferences(
  views: readonly InferredRoute[],
  { host }: Pick<Resource, 'host'>,
  resources: readonly Resource[],
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
      const sent = writes.filter(({ body, item }) => isScalar(body[field]) && !Object.hasOwn(item, field))
      const to = aliasesOf(field)
        .flatMap((alias) => (alias.endsWith('.id') ? [alias.slice(0, -'.id'.length)] : []))
        .find(
          (name) =>
            sent.length > 0 && sent.every(({ body, item }) => idOf(item[name]) === String(body[field])),
        )
      if (to === undefined) return []
      const values = valuesAt(items, to)
      const [first] = values
      if (first === undefined || values.length > MAX_VALUES) return []
      const at = collectionOf(to, host, resources)?.path
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
