import { type BodyValue, formOf } from '../match/body-value.ts'
import { bodyDifferences, firstOf, headDifferences, headDistance } from '../match/differences.ts'
import type { RequestHead } from '../match/match.ts'
import { type Entry, type ExchangeIndex, hashOf } from './exchange-index.ts'

/** A recorded request, and how it differs from the one requested. */
export interface NearRequest {
  /** Method and URL, without secrets. */
  readonly request: string
  /** What was recorded and what was requested, such as `query page: 2 instead of 1` or `body /id: 7 instead of 8`. */
  readonly differs: readonly string[]
}

const MAX_NEAR = 3
const MAX_READ = 50

/** The recorded requests that are most like one that is not recorded, and what differs, bodies included. */
export async function findNearest(
  requested: RequestHead,
  isUpgrade: boolean,
  body: BodyValue,
  index: ExchangeIndex,
): Promise<readonly NearRequest[]> {
  const hash = hashOf(formOf(body))
  const distinct = new Map<string, Entry>()
  for (const entry of index.all()) distinct.set(`${entry.request} ${entry.body}`, entry)
  const distanceOf = (entry: Entry): number =>
    headDistance(requested, entry.head) + (entry.body === hash ? 0 : 1)
  const candidates = [...distinct.values()]
    .map((entry) => ({ entry, distance: distanceOf(entry) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_READ)
  const compared: { readonly near: NearRequest; readonly distance: number; readonly inBody: number }[] = []
  // One after the other, since bodies may be long.
  for (const { entry, distance } of candidates) {
    const exchange = entry.body === hash ? undefined : await index.read(entry)
    const inBody = exchange === undefined ? [] : bodyDifferences(body, await index.bodyOf(exchange))
    const protocol = entry.isUpgrade && !isUpgrade ? ['a WebSocket instead of a plain request'] : []
    const differs = [...protocol, ...firstOf(headDifferences(requested, entry.head)), ...inBody]
    compared.push({ near: { request: entry.request, differs }, distance, inBody: inBody.length })
  }
  return compared
    .toSorted((a, b) => a.distance - b.distance || a.inBody - b.inBody)
    .slice(0, MAX_NEAR)
    .map(({ near }) => near)
}
