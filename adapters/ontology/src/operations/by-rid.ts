import { ApiError, invalidArgument } from '../errors.ts'
import { isRecord } from '../values/kind.ts'
import { bodyOf, type OntologyVisit } from './call.ts'

const MOST = 100

/** The rids of a batch: `{ requests: [{ <key>: rid }] }`. */
export const batchOf = (visit: OntologyVisit, key: string): string[] => {
  const { requests } = bodyOf(visit)
  if (!Array.isArray(requests) || requests.length === 0) throw new ApiError('MissingBatchRequest')
  if (requests.length > MOST) {
    throw new ApiError('BatchRequestSizeExceededLimit', {
      maximumBatchSize: MOST,
      providedBatchSize: requests.length,
    })
  }
  return requests.map((request: unknown) => {
    const rid = isRecord(request) ? request[key] : undefined
    if (typeof rid !== 'string') throw invalidArgument(`each of \`requests\` has \`${key}\``)
    return rid
  })
}

/** Those of the items that a batch asks for, in its order; what is unknown is left out. */
export const pickByRid = <Item extends { readonly rid: string }>(
  items: Iterable<Item>,
  rids: readonly string[],
): Item[] => {
  const byRid = new Map([...items].map((item) => [item.rid, item]))
  return rids.flatMap((rid) => byRid.get(rid) ?? [])
}
