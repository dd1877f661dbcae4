import type { Folded } from './fold-paths.ts'
import type { Paging } from './paging.ts'
import type { Resource } from './resources.ts'

/**
 * Lists that are only ever read, page by page, and were seen from their beginning and at least by half: what they held
 * is answered again.
 * @param known collections whose items have routes of their own
 */
export function findListed(
  folded: readonly Folded[],
  pagings: ReadonlyMap<Folded, Paging | undefined>,
  known: readonly Resource[],
): readonly Resource[] {
  return folded.flatMap((each) => {
    const paging = pagings.get(each)
    const isKnown = known.some(({ host, collection }) => host === each.host && collection === each.path)
    const isWritten = each.samples.some(({ method, status }) => method !== 'GET' && status < 400)
    if (paging === undefined || isKnown || isWritten || paging.varies) return []
    const lists = [...paging.lists]
    const isWhole = lists.every(([, { items, total }]) => {
      const end = Math.max(-1, ...items.keys()) + 1
      return items.size === end && items.size * 2 >= (total ?? 0)
    })
    if (!isWhole || lists.length === 0) return []
    const seeds = lists.map(([path, { items }]): [string, readonly Readonly<Record<string, unknown>>[]] => [
      path,
      [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item as Readonly<Record<string, unknown>>),
    ])
    return [
      {
        host: each.host,
        path: each.path,
        collection: each.path,
        idField: 'id',
        seeds: new Map(seeds),
        confirmed: paging.exchanges,
        contradicted: 0,
      },
    ]
  })
}
