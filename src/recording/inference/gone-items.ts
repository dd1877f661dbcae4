import { groupBy } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { pathOf } from './sample.ts'

/** What servers say besides 404 and 410 of what is no longer there. */
const STATUSES: ReadonlySet<number> = new Set([400, 403, 405, 409, 422, 500])

/**
 * Requests about items that were removed before, which their server answered otherwise than with 404, as what they are.
 * @param others what else is known of refusals
 */
export function refusedAsGone(
  routes: readonly InferredRoute[],
  others: ReadonlyMap<number, string> = new Map(),
): ReadonlyMap<number, string> {
  const ofItems = routes.filter(({ path }) => /\}[^/]*$/.test(path))
  const found = new Map<number, string>()
  for (const own of groupBy(ofItems, ({ host = '', path }) => host + path).values()) {
    const gone = new Set<string>()
    const samples = own.flatMap((route) => route.samples).toSorted((a, b) => a.index - b.index)
    for (const sample of samples) {
      const path = pathOf(sample)
      if (sample.status < 300 && sample.method === 'DELETE') gone.add(path)
      else if (sample.status < 300) gone.delete(path)
      else if (gone.has(path) && STATUSES.has(sample.status)) found.set(sample.index, 'SIM_ITEM_NOT_FOUND')
    }
  }
  return new Map([...found, ...others])
}
