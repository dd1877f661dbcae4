import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { isSafe } from '../../message.ts'
import type { Folded } from './fold-paths.ts'
import type { Paging } from './paging.ts'
import type { Item } from './item-place.ts'
import { elsewhereOf, type Resource } from './resources.ts'
import { pathOf } from './sample.ts'
import { explains, type RecordedList, selectionOf } from './selection.ts'

/**
 * Lists that are only ever read, and of which answers hold all or at least half from the beginning: what they held is
 * answered again, and chosen from as the recorded requests chose.
 * @param known collections whose items have routes of their own
 */
export function findListed(
  folded: readonly Folded[],
  pagings: ReadonlyMap<Folded, Paging | undefined>,
  known: readonly Resource[],
): readonly Resource[] {
  return folded.flatMap((each) => {
    const paging = pagings.get(each)
    const isKnown = known.some(
      (resource) =>
        (resource.host === each.host && resource.collection === each.path) ||
        elsewhereOf(resource, { ...each, method: 'GET' }) !== undefined,
    )
    const isWritten = each.samples.some(({ method, status }) => !isSafe(method) && status < 400)
    if (isKnown || isWritten) return []
    const seeds = paging === undefined ? wholeLists(each) : pagedLists(each, paging)
    return seeds === undefined
      ? []
      : [
          {
            ...{ host: each.host, path: each.path, collection: each.path },
            ...{ place: NO_PLACE, writes: NO_WRITES, sorted: undefined, assigned: [] },
            ...{
              elsewhere: [],
              idOf: (_: string, name: string) => name,
              unseen: new Map(),
              empty: new Set<string>(),
              unique: [],
              repeats: {},
            },
            ...{ seeds, confirmed: each.samples.length, contradicted: 0 },
          },
        ]
  })
}

const NO_PLACE: Resource['place'] = { answer: [], body: [], id: ['id'] }
const NO_WRITES: Resource['writes'] = {
  deeds: new Map(),
  merges: [],
  touches: {},
  hasSentIds: false,
  checked: new Set(),
  gone: new Map(),
}

type Seeds = ReadonlyMap<string, readonly Item[]>

function pagedLists(folded: Folded, paging: Paging): Seeds | undefined {
  const lists = [...paging.lists]
  const isWhole = lists.every(([, { items, total }]) => {
    const end = Math.max(-1, ...items.keys()) + 1
    return items.size === end && items.size * 2 >= (total ?? 0)
  })
  if (!isWhole || lists.length === 0) return undefined
  const seeds = new Map(
    lists.map(([path, { items }]): [string, readonly Item[]] => [
      path,
      [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item as Item),
    ]),
  )
  return !paging.varies || areChosen(folded, seeds, paging) ? seeds : undefined
}

// Where some requests got the whole list, and all others something of it that their parameters explain.
function wholeLists(folded: Folded): Seeds | undefined {
  const lists = fineLists(folded, undefined)
  const bare = lists.filter(({ query }) => Object.keys(query).length === 0)
  if (bare.length === 0 || bare.length === lists.length) return undefined
  const seeds = new Map(bare.map(({ path, items }): [string, readonly Item[]] => [path, items]))
  return areChosen(folded, seeds, undefined) ? seeds : undefined
}

/** Whether all that other requests got is in the lists, and what they say explains it. */
function areChosen(folded: Folded, seeds: Seeds, paging: Paging | undefined): boolean {
  const lists = fineLists(folded, paging)
  const areThere = lists.every(({ path, items }) =>
    items.every((item) => seeds.get(path)?.some((whole) => isPartOf(item, whole)) === true),
  )
  return areThere && explains(selectionOf(lists, paging), lists, paging)
}

function isPartOf(item: Item, whole: Item): boolean {
  return Object.entries(item).every(([name, value]) => isDeepStrictEqual(whole[name], value))
}

function fineLists(
  { samples }: Folded,
  paging: Paging | undefined,
): readonly (RecordedList & { readonly path: string })[] {
  const fine = samples.filter(({ method, status }) => method === 'GET' && status < 300)
  const lists = fine.flatMap((sample) => {
    const { response, query } = sample
    const list: unknown =
      paging?.field === undefined ? response : isObject(response) && response[paging.field]
    const isList = Array.isArray(list) && list.every((item) => isObject(item))
    return isList ? [{ path: pathOf(sample), query, items: list }] : []
  })
  return lists.length === fine.length ? lists : []
}
