import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { Folded } from './fold-paths.ts'
import { type Item, itemView } from './item-place.ts'
import { createWriteNotes } from './item-writes.ts'
import { elsewhereOf, isAtResource, type Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'
import { findSingleItems } from './single-items.ts'
import { isScalar } from './values.ts'

const PLACE = { answer: [], body: [], id: [] }

/** Finds paths at which there is one item alone: by itself, or below each item of a collection. */
export function findLoneItems(folded: readonly Folded[], known: readonly Resource[]): readonly Resource[] {
  return [...findSingleItems(folded, known), ...findItemsOfParents(folded, known)]
}

/**
 * Finds paths below those of items at which each of these has one more, such as the settings of a user: requests put or
 * change it, and read it as it was sent.
 */
function findItemsOfParents(folded: readonly Folded[], known: readonly Resource[]): readonly Resource[] {
  return folded.flatMap((each): readonly Resource[] => {
    const { host, path, parameters, samples } = each
    const isKnown = known.some(
      (resource) =>
        isAtResource(resource, { host, path }) ||
        ['GET', 'PUT', 'PATCH', 'DELETE'].some((method) => elsewhereOf(resource, { host, path, method })),
    )
    if (parameters.length === 0 || path.endsWith('}') || isKnown) return []
    const fine = samples.filter(({ status }) => status < 300)
    const reads = fine.filter(({ method }) => method === 'GET')
    const writes = fine.filter(({ method }) => /^(PUT|PATCH)$/.test(method))
    const isPlain =
      reads.every(({ response, query }) => isObject(response) && Object.keys(query).length === 0) &&
      writes.every(({ body }) => isObject(body)) &&
      fine.every(({ method }) => /^(GET|PUT|PATCH|DELETE)$/.test(method))
    if (!isPlain || reads.length === 0 || writes.length === 0) return []
    return [resourceOf(each)]
  })
}

function resourceOf({ host, path, samples, values }: Folded): Resource {
  const notes = createWriteNotes(PLACE)
  const score = { confirmed: 0, contradicted: 0 }
  const unwritten = new Map<string, Item>()
  for (const [place, own] of groupBy(samples, pathOf)) playOne(own, notes, score, place, unwritten)
  const [first, ...others] = unwritten.values()
  const named = new Set(samples.flatMap((sample) => Object.values(values(sample))))
  const isOfAll =
    first !== undefined &&
    others.every((other) => isDeepStrictEqual(other, first)) &&
    !Object.values(first).some((value) => isScalar(value) && named.has(String(value)))
  const seeds = isOfAll ? [] : [...unwritten].map(([place, item]) => [place, [item]] as const)
  return {
    ...{ host, path, collection: path, place: PLACE, isOnly: true, elsewhere: [], idOf: (_, name) => name },
    ...{ writes: notes.found(), seeds: new Map(seeds), unseen: new Map(), sorted: undefined },
    ...{ assigned: [], unique: [], repeats: {}, empty: new Set() },
    ...score,
    ...(isOfAll && { otherwise: first }),
  }
}

function playOne(
  samples: readonly Sample[],
  notes: ReturnType<typeof createWriteNotes>,
  score: { confirmed: number; contradicted: number },
  place: string,
  unwritten: Map<string, Item>,
): void {
  let item: Item | undefined
  let sent: Item | undefined
  for (const sample of samples) {
    const view = itemView(sample, PLACE)
    const { method, status, body, response } = view
    if (status === 404 && method === 'GET' && sent !== undefined) score.contradicted++
    if (status >= 300) continue
    if (method === 'DELETE') {
      item = sent = undefined
      continue
    }
    const isWrite = method !== 'GET' && isObject(body)
    if (isWrite) {
      notes.note(view, true, item, item === undefined)
      sent = method === 'PUT' ? body : { ...sent, ...body }
    }
    if (!isObject(response)) continue
    if (sent === undefined && item === undefined) unwritten.set(place, response)
    const isRight = sent === undefined ? isDeepStrictEqual(item ?? response, response) : holds(response, sent)
    if (!isRight) score.contradicted++
    else if (sent !== undefined) score.confirmed++
    item = response
  }
}

// What was sent is there as it was, but for objects, which may be laid over what was there.
function holds(item: Item, sent: Item): boolean {
  const plain = Object.entries(sent).filter(([, value]) => isScalar(value) || Array.isArray(value))
  return (
    plain.some(([name, value]) => isDeepStrictEqual(item[name], value)) &&
    plain.every(([name, value]) => !Object.hasOwn(item, name) || isDeepStrictEqual(item[name], value))
  )
}
