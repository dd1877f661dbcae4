import { createEntryChange } from '../../collections/entry-operation.ts'
import type { EntryOption } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, entryOf } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { Folded } from './fold-paths.ts'
import type { Item } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'
import type { OtherPath, Sightings } from './sightings.ts'
import { isScalar } from './values.ts'

/** Requests of one path between two answers that show the item that they are about. */
interface Span {
  readonly before: Item
  readonly after: Item
  readonly samples: Sample[]
}

/**
 * Finds what requests to a path below an item, such as `/images/{id}/tags/{tag}`, add to a list of the item and remove from
 * it, where their answers say nothing: by what is read of the item before and after several of them.
 */
export function findUnshownEntries(
  folded: Folded,
  other: OtherPath,
  sightings: ReadonlyMap<string, Sightings>,
): readonly Elsewhere[] {
  const by = folded.parameters.at(-1)
  const writes = folded.samples.filter(({ method }) => !isSafe(method))
  const fine = writes.filter(({ status }) => status < 300)
  const says = ({ body, response }: Sample): boolean => hasMembers(body) || hasMembers(response)
  if (by === undefined || fine.length === 0 || fine.some(says)) return []
  const spans = new Map<string, Span>()
  for (const sample of fine) {
    const { seen, id } = aboutOf(sample, other, sightings)
    const [before, after] = [seen?.before(id, sample.index), seen?.after(id, sample.index)]
    if (before?.item === undefined || after?.item === undefined || !after.isRead) continue
    const key = JSON.stringify([other.segments(sample), before.index, after.index])
    const [was, is] = [before.item, after.item]
    entryOf(spans, key, () => ({ before: was, after: is, samples: [] })).samples.push(sample)
  }
  const entry = entryOfAll(folded, by, [...spans.values()])
  if (entry === undefined) return []
  const isMissing = (sample: Sample): boolean => {
    const { seen, id } = aboutOf(sample, other, sightings)
    return sample.status === 404 && seen?.before(id, sample.index)?.item !== undefined
  }
  const shownAfter = new Map([...spans.values()].map(({ samples, after }) => [samples.at(-1), after]))
  return ['PUT', 'POST', 'DELETE'].flatMap((method): readonly Elsewhere[] => {
    const own = fine.filter((sample) => sample.method === method)
    if (own.length === 0) return []
    const refuses = method === 'DELETE' && writes.some((each) => each.method === method && isMissing(each))
    const samples = own.map((sample) => {
      const { body: _body, response: _response, ...rest } = sample
      const response = shownAfter.get(sample)
      return { ...rest, method: 'PATCH', segments: other.segments(sample), ...(response && { response }) }
    })
    const common = { method, path: folded.path, at: other.at, does: 'change', isShown: false } as const
    return [{ ...common, entry: { ...entry, ...(refuses && { refuses }) }, samples }]
  })
}

function aboutOf(
  sample: Sample,
  other: OtherPath,
  sightings: ReadonlyMap<string, Sightings>,
): { readonly seen: Sightings | undefined; readonly id: string } {
  const segments = other.segments(sample)
  return { seen: sightings.get(pathOf({ segments: segments.slice(0, -1) })), id: segments.at(-1) ?? '' }
}

// The list that is in all spans what the requests make of it, and in some is another for that.
function entryOfAll(folded: Folded, by: string, spans: readonly Span[]): EntryOption | undefined {
  const names = new Set(spans.flatMap(({ after }) => Object.keys(after)))
  for (const name of names) {
    const lists = spans.flatMap(({ before, after }) => [before[name] ?? [], after[name] ?? []])
    if (!lists.every((list) => Array.isArray(list) && list.every(isScalar))) continue
    const value = lists.flat().every((entry) => typeof entry === 'number') ? 'number' : 'text'
    const option = { list: pointerTo([name]), by, value } as const
    const isSo = spans.every(({ before, after, samples }) => {
      const made = samples.reduce<readonly unknown[]>((entries, sample) => {
        const change = createEntryChange(sample.method, option)
        return change(entries, { params: folded.values(sample) }) ?? entries
      }, listOf(before[name]))
      return sortedText(made) === sortedText(listOf(after[name]))
    })
    const isEffective = spans.some(
      ({ before, after }) => sortedText(listOf(before[name])) !== sortedText(listOf(after[name])),
    )
    if (isSo && isEffective) return option
  }
  return undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function sortedText(list: readonly unknown[]): string {
  return JSON.stringify(list.map(String).toSorted(compareTexts))
}

function hasMembers(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && Object.keys(value).length > 0)
}
