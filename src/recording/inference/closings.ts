import type { AffectedItem } from '../../engine/route-options.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import { namesOf, pathShape } from '../../routing/path-template.ts'
import { isConflict, isState } from './action-states.ts'
import { textOfAnswer } from './answer-text.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { Folded } from './fold-paths.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, itemView } from './item-place.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'
import type { Sample } from './sample.ts'
import { otherPath } from './sightings.ts'
import type { Reason } from './taken.ts'

/** What requests of a method and path need of an item that they are below, and make of it. */
export interface Closing {
  readonly at: string
  affected: AffectedItem
  readonly refused: Map<number, Item>
  readonly reasons: Map<number, Reason>
}

/** A request to change something below an item. */
interface Write {
  readonly key: string
  readonly at: string
  readonly id: string
  readonly sample: Sample
  readonly before: Item | undefined
}

/** Fewer refusals after one request may have other reasons. */
const MIN_REFUSED = 2

/**
 * Finds requests after which all others below the same item are refused, such as the checkout of a cart: they give the item
 * another state, whether it is ever shown or only said by the refusals. Likewise those that need something in a list of it.
 * @returns by method and path
 */
export function findClosings(
  folded: readonly Folded[],
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): ReadonlyMap<string, Closing> {
  const found = new Map<string, Closing>()
  for (const resource of resources) {
    const { host, path, collection, place } = resource
    if (path === collection || collection.includes('{') || namesOf(path).length !== 1) continue
    const seen = sightingsOf(resource).get(collection)
    if (seen === undefined) continue
    const writes = folded
      .filter((each) => each.host === host && pathShape(each.path).startsWith(`${pathShape(path)}/`))
      .flatMap((each) => writesAt(each, path, (id, index) => seen.before(id, index)?.item))
      .toSorted((a, b) => a.sample.index - b.sample.index)
    const field = stateField(writes.flatMap(({ before }) => (before === undefined ? [] : [before])))
    const byId = groupBy(writes, ({ id }) => id)
    const isOfItem = ({ sample, id }: Write): boolean => idIn(itemView(sample, place).response, place) === id
    for (const own of groupBy(writes, ({ key }) => key).values()) {
      const fine = own.filter(({ sample }) => sample.status < 300)
      const [first] = fine
      if (first === undefined || fine.some((write) => isOfItem(write) || write.before === undefined)) continue
      const later = fine.flatMap((write) =>
        (byId.get(write.id) ?? []).filter(({ sample }) => sample.index > write.sample.index),
      )
      const closing = (write: Write): Closing =>
        entryOf(found, write.key, () => ({
          at: write.at,
          affected: {},
          refused: new Map(),
          reasons: new Map(),
        }))
      const note = (write: Write, item: Item, reason: Reason): void => {
        closing(write).refused.set(write.sample.index, item)
        closing(write).reasons.set(write.sample.index, reason)
      }
      const isClosed = later.length >= MIN_REFUSED && later.every(({ sample }) => isConflict(sample))
      if (isClosed && field !== undefined) {
        const open = [...new Set(fine.map(({ before }) => before?.[field]))]
        const shown = fine.map(({ id, sample }) => seen.after(id, sample.index)?.item?.[field])
        const state =
          shown.find((value) => isState(value) && !open.includes(value)) ??
          later
            .map(({ sample, id }) => stateIn(sample, id))
            .find((word) => word !== undefined && !open.includes(word)) ??
          'closed'
        const from = { [field]: open }
        closing(first).affected = { ...closing(first).affected, from, sets: { [field]: state } }
        for (const write of later) {
          closing(write).affected = { from, ...closing(write).affected }
          note(write, { ...write.before, [field]: state }, 'state')
        }
      }
      const early = own.filter(
        (write) => isConflict(write.sample) && write.before !== undefined && !later.includes(write),
      )
      const filled = Object.keys(first.before ?? {}).filter(
        (name) =>
          early.length > 0 &&
          early.every(({ before }) => isEmpty(before?.[name])) &&
          fine.every(({ before }) => Array.isArray(before?.[name]) && !isEmpty(before[name])),
      )
      if (filled.length !== 1) continue
      closing(first).affected = { ...closing(first).affected, filled }
      for (const write of early) note(write, write.before ?? {}, 'empty')
    }
  }
  return found
}

type Refused = Pick<Elsewhere, 'refused' | 'reasons'>

/** What a route refuses for the state of the item that it changes, and of one that it is below, and what it makes of that. */
export function refusedBy(
  other: Refused = {},
  closing: Closing | undefined,
): Refused & Pick<InferredRoute, 'affects'> {
  const { refused, reasons } = other
  if (closing === undefined) return { ...(refused && { refused }), ...(reasons && { reasons }) }
  return {
    refused: new Map([...closing.refused, ...(refused ?? [])]),
    reasons: new Map([...closing.reasons, ...(reasons ?? [])]),
    affects: { [closing.at]: closing.affected },
  }
}

function writesAt(
  folded: Folded,
  path: string,
  itemBefore: (id: string, index: number) => Item | undefined,
): readonly Write[] {
  const other = otherPath(path, folded)
  if (other === undefined) return []
  return folded.samples
    .filter(({ method }) => !isSafe(method))
    .map((sample) => {
      const id = other.segments(sample).at(-1) ?? ''
      const key = `${sample.method} ${folded.host ?? ''}${folded.path}`
      return { key, at: other.at, id, sample, before: itemBefore(id, sample.index) }
    })
}

// The one field that is a state in all items, or that is called so.
function stateField(items: readonly Item[]): string | undefined {
  const names = [...new Set(items.flatMap(Object.keys))].filter((name) =>
    items.every((item) => typeof item[name] === 'string' && isState(item[name])),
  )
  return names.find((name) => /stat(e|us)$|phase|stage/i.test(name))
}

// How a refusal calls the state: the last word that it says the item is.
function stateIn({ response }: Sample, id: string): string | undefined {
  const text = textOfAnswer(response).replaceAll(id, '')
  const words = [...text.matchAll(/\b(?:is|was|been|already) (?:already )?([a-z]{3,20}(?:_[a-z]{2,20})?)/g)]
  return words.map(([, word]) => word).findLast((word) => word !== undefined && !NO_STATES.has(word))
}

const NO_STATES = new Set([
  'already',
  'not',
  'the',
  'invalid',
  'required',
  'missing',
  'and',
  'for',
  'too',
  'now',
])

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
