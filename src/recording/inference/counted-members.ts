import type { EmbeddedMember, EmbedsOption } from '../../engine/embeds-option.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { spreadOf } from '../../grouping.ts'
import { pathShape } from '../../routing/path-template.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import { idIn, type Item, itemView, listIn } from './item-place.ts'
import type { SightingsOf } from './parents.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { Resource } from './resources.ts'
import { pathOf } from './sample.ts'
import type { Sightings } from './sightings.ts'
import { isScalar } from './values.ts'

/** An item as an answer shows it. */
interface Row {
  readonly index: number
  readonly path: string
  readonly id: string
  readonly item: Item
}

/** How many items of a collection belong to another when an exchange comes. */
interface Relation {
  readonly member: EmbeddedMember
  count(row: Row): number
}

/**
 * Finds fields of items that are how many items of another collection are below them or refer to them, such as
 * `address_count`, which answers then count anew.
 */
export function findCountedMembers(
  folded: readonly Folded[],
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): ReadonlyMap<Resource, Readonly<Record<string, EmbeddedMember>>> {
  return new Map(
    resources.flatMap((resource) => {
      const [id, ...deeper] = resource.place.id
      if (id === undefined || deeper.length > 0 || resource.path === resource.collection) return []
      const { rows, sent } = rowsOf(resource, folded)
      const names = new Set(rows.flatMap(({ item }) => numbersIn(item)).filter((name) => !sent.has(name)))
      if (names.size === 0) return []
      const relations = resources.flatMap((other) => relationsOf(other, resource, id, sightingsOf))
      const members = [...names].flatMap((name) => {
        const own = spreadOf(
          rows.filter(({ item }) => Object.hasOwn(item, name)),
          MAX_ROWS,
        )
        const relation = isCount(name, own)
          ? relations.find((each) => own.every((row) => row.item[name] === each.count(row)))
          : undefined
        return relation === undefined ? [] : [[name, relation.member] as const]
      })
      return members.length === 0 ? [] : [[resource, Object.fromEntries(members)] as const]
    }),
  )
}

/** What answers have of other collections, with what they count; what makes an item has nothing to count. */
export function withCounted(
  embedded: EmbedsOption | undefined,
  method: string,
  counted: Readonly<Record<string, EmbeddedMember>> | undefined,
  other: Elsewhere | undefined,
): EmbedsOption | undefined {
  const isShown =
    other === undefined ? /^(GET|PUT|PATCH)$/.test(method) : other.isShown && other.does !== 'create'
  if (counted === undefined || !isShown) return embedded
  return { ...embedded, members: { ...embedded?.members, ...counted } }
}

/** To count for each row would take as long as rows times items. */
const MAX_ROWS = 200

// A number that is the same whatever there is says nothing.
function isCount(name: string, rows: readonly Row[]): boolean {
  return rows.length > 1 && new Set(rows.map(({ item }) => item[name])).size > 1
}

function numbersIn(item: Item): readonly string[] {
  return Object.keys(item).filter((name) => Number.isInteger(item[name]) && (item[name] as number) >= 0)
}

function rowsOf(
  { host, path, collection, place }: Resource,
  folded: readonly Folded[],
): { readonly rows: readonly Row[]; readonly sent: ReadonlySet<string> } {
  const samples = [path, collection].flatMap((at) => samplesAt(folded, host, at))
  const sent = new Set(samples.flatMap((sample) => Object.keys(objectIn(itemView(sample, place).body))))
  const depth = collection.split('/').length - 1
  const rows = samples.flatMap((sample): readonly Row[] => {
    const { method, status, index, segments, response } = sample
    if (status >= 300 || method === 'DELETE') return []
    const at = pathOf({ segments: segments.slice(0, depth) })
    const isList = method === 'GET' && segments.length === depth
    const items = isList ? (listIn(response)?.items ?? []) : [itemView(sample, place).response]
    return items.filter(isObject).flatMap((item) => {
      const id = idIn(item, place)
      return id === undefined ? [] : [{ index, path: at, id, item }]
    })
  })
  return { rows, sent }
}

function objectIn(value: unknown): Item {
  return isObject(value) ? value : {}
}

function relationsOf(
  other: Resource,
  { host, path, collection }: Resource,
  id: string,
  sightingsOf: SightingsOf,
): readonly Relation[] {
  if (other.host !== host || other.path === other.collection || other.path === path) return []
  const from = id === 'id' ? {} : { from: id }
  const [parameter, ...more] = [...other.collection.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  if (parameter !== undefined) {
    const end = pathShape(other.collection).slice(pathShape(path).length)
    const isBelow =
      pathShape(other.collection).startsWith(`${pathShape(path)}/`) && !end.includes('{') && more.length === 0
    if (!isBelow) return []
    const count = (row: Row): number =>
      sightingsOf(other)
        .get(`${row.path}/${encodeURIComponent(row.id)}${end}`)
        ?.thereAt(row.index + 1).length ?? 0
    return [{ member: { at: other.collection, by: parameter, ...from, count: true }, count }]
  }
  if (collection.includes('{')) return []
  const seen = sightingsOf(other).get(other.collection)
  return seen === undefined
    ? []
    : referencesIn(seen).map((by) => ({
        member: { at: other.collection, by, ...from, count: true },
        count: ({ id: own, index }) =>
          seen
            .thereAt(index + 1)
            .filter((each) => [seen.before(each, index + 1)?.item?.[by]].flat().map(String).includes(own))
            .length,
      }))
}

// What items have that may be the id of another.
function referencesIn(seen: Sightings): readonly string[] {
  const items = [...seen.ids].flatMap((each): readonly Item[] => {
    const item = seen.before(each, Infinity)?.item
    return item === undefined ? [] : [item]
  })
  const names = new Set(items.flatMap((item) => Object.keys(item)))
  return [...names].filter((name) => items.every((item) => [item[name] ?? []].flat().every(isScalar)))
}
