import { isDeepStrictEqual } from 'node:util'
import { createComputed } from '../../collections/computed-members.ts'
import { createEntryChange } from '../../collections/entry-operation.ts'
import type { EntryOption } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, groupBy } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import { pathShape } from '../../routing/path-template.ts'
import type { Computes } from './computed-fields.ts'
import { isConflict } from './action-states.ts'
import { mostOf, type NamedItems } from './copied-fields.ts'
import type { Elsewhere, Sought } from './elsewhere.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, itemView } from './item-place.ts'
import { entryFormulas, findMadeEntries, type MadeEntries } from './made-entries.ts'
import { withoutRepeated } from './repeated-ids.ts'
import { pathOf, type Sample } from './sample.ts'
import { findSightings, otherPath } from './sightings.ts'
import { findUnshownEntries } from './unshown-entries.ts'
import { isScalar } from './values.ts'

/** An item before and after a request to a path below it, which is answered with the item. */
interface Step {
  readonly sample: Sample
  readonly before: Item
  readonly after: Item
}

/**
 * Finds the paths below an item whose requests add an entry to a list that it has, such as `/carts/{id}/lines`, and replace
 * or remove one by its place or a field of it, such as `/carts/{id}/lines/{line}`, and are answered with the item.
 * @param others the other paths of the host
 */
export function findEntryWrites(
  sought: Sought,
  others: readonly Folded[],
  repeats: Readonly<Record<string, string>>,
  computes: Computes,
): readonly Elsewhere[] {
  const below = others.flatMap((folded) => {
    const rest = pathShape(folded.path).slice(pathShape(sought.path).length)
    const isBelow = pathShape(folded.path).startsWith(`${pathShape(sought.path)}/`)
    const other = isBelow && /^\/[^/{}]+(?:\/\{\})?$/.test(rest) ? otherPath(sought.path, folded) : undefined
    return other === undefined ? [] : [{ folded, other, ofEntry: rest.endsWith('}') }]
  })
  if (below.length === 0) return []
  const shown = (sample: Sample, id: string): Item | undefined => {
    const { status, response } = itemView(sample, sought.place)
    const isItem = status < 300 && isObject(response) && idIn(response, sought.place) === id
    return isItem ? withoutRepeated(response, repeats) : undefined
  }
  const about = [
    ...sought.items.map((sample) => ({ sample, id: sample.segments.at(-1) ?? '' })),
    ...below.flatMap(({ folded, other }) =>
      folded.samples.map((sample) => ({ sample, id: other.segments(sample).at(-1) ?? '' })),
    ),
  ].toSorted((a, b) => a.sample.index - b.sample.index)
  const aboutItem = groupBy(about, ({ id }) => id)
  const sightings = findSightings(sought)
  const before = ({ index }: Sample, [id = '', ...above]: readonly string[]): Item | undefined => {
    const last = aboutItem
      .get(id)
      ?.findLast(
        ({ sample }) =>
          sample.index < index &&
          sample.status < 300 &&
          (!isSafe(sample.method) || shown(sample, id) !== undefined),
      )
    if (last !== undefined) return shown(last.sample, id)
    // What made it shows it, too, and so do lists.
    const seen = sightings.get(pathOf({ segments: above.toReversed() }))?.before(id, index)?.item
    return seen && withoutRepeated(seen, repeats)
  }
  return below.flatMap(({ folded, other, ofEntry }) => {
    const unshown = ofEntry ? findUnshownEntries(folded, other, sightings) : []
    if (unshown.length > 0) return unshown
    return (ofEntry ? ['PUT', 'POST', 'PATCH', 'DELETE'] : ['POST', 'PUT']).flatMap((method): Elsewhere[] => {
      const own = folded.samples.filter((sample) => sample.method === method)
      const fine = own.filter(({ status }) => status < 300)
      const steps = fine.flatMap((sample): Step[] => {
        const segments = other.segments(sample)
        const was = before(sample, segments.toReversed())
        const after = shown(sample, segments.at(-1) ?? '')
        return was === undefined || after === undefined ? [] : [{ sample, before: was, after }]
      })
      const areKnown = steps.length > 0 && steps.length === fine.length
      const entry = areKnown ? entryOption(folded, method, steps, computes) : undefined
      const made: MadeEntries | undefined =
        areKnown && entry === undefined && method === 'POST' && !ofEntry
          ? findMadeEntries(steps, computes, sought.named?.() ?? [])
          : entry && { entry }
      // What is not there may be the entry.
      const samples = fine.map(({ body: _body, ...sample }) => ({
        ...{ ...sample, method: 'PATCH', segments: other.segments(sample) },
      }))
      const common = { method, path: folded.path, at: other.at, does: 'change', isShown: true } as const
      if (made === undefined) return []
      const bounds = boundsOf(made.refers ?? {}, fine, own.filter(isConflict), sought.named?.() ?? [])
      return [{ ...common, ...made, ...bounds, samples }]
    })
  })
}

// What of an item that is named entries cannot have more than.
function boundsOf(
  refers: NonNullable<Elsewhere['refers']>,
  fine: readonly Sample[],
  refused: readonly Sample[],
  named: readonly NamedItems[],
): Pick<Elsewhere, 'refers' | 'refused' | 'reasons'> | undefined {
  for (const [field, reference] of Object.entries(refers)) {
    const items = named.find(({ path }) => path === reference.at)
    const most = items && mostOf(field, items, fine, refused)
    if (most === undefined) continue
    const found = refused.flatMap((sample) => {
      const item = most.isMore(sample)
      return item === undefined ? [] : [[sample.index, item] as const]
    })
    return {
      refers: { ...refers, [field]: { ...reference, atMost: most.atMost } },
      refused: new Map(found),
      reasons: new Map(found.map(([index]) => [index, 'amount'] as const)),
    }
  }
  return undefined
}

// How all of them change the one list that they change.
function entryOption(
  folded: Folded,
  method: string,
  steps: readonly Step[],
  computes: Computes,
): EntryOption | undefined {
  const [first] = steps as [Step]
  const named = namedEntry(folded, method, steps)
  if (named !== undefined) return named
  const compute = createComputed(entryFormulas(computes))
  const lists = Object.keys(first.after).filter((name) => Array.isArray(first.before[name]))
  const bodies =
    method === 'DELETE'
      ? [[]]
      : [[], ...Object.keys(isObject(first.sample.body) ? first.sample.body : {}).map((name) => [name])]
  for (const name of lists) {
    const own = steps.map(({ sample, before, after }) => ({
      sample,
      ...{ before: listOf(before[name]), after: listOf(after[name]) },
    }))
    for (const body of bodies)
      for (const place of folded.path.endsWith('}') ? keyNames(folded, own) : indexNames(steps, body)) {
        const option = {
          list: pointerTo([name]),
          ...(body.length > 0 && { body: pointerTo(body) }),
          ...place,
        }
        const change = createEntryChange(method, option)
        const isSo = own.every(({ sample, before, after }) => {
          const made = change(before, { body: sample.body, params: folded.values(sample) })
          return isDeepStrictEqual(made && compute({ [name]: made })[name], after)
        })
        if (isSo) return option
      }
  }
  return undefined
}

// Where the entries are what the path names, in whatever order.
function namedEntry(folded: Folded, method: string, steps: readonly Step[]): EntryOption | undefined {
  const by = folded.path.endsWith('}') ? folded.parameters.at(-1) : undefined
  const [first] = steps
  if (by === undefined || first === undefined) return undefined
  const sorted = (list: readonly unknown[]): readonly string[] => list.map(String).toSorted(compareTexts)
  const names = Object.keys(first.after).filter((name) => Array.isArray(first.after[name]))
  for (const name of names) {
    const all = steps.flatMap(({ before, after }) => [...listOf(before[name]), ...listOf(after[name])])
    const value = all.every((entry) => typeof entry === 'number') ? 'number' : 'text'
    const option = { list: pointerTo([name]), by, value } as const
    const change = createEntryChange(method, option)
    const isSo = steps.every(({ sample, before, after }) => {
      const changed = change(listOf(before[name]), { params: folded.values(sample) }) ?? []
      return isDeepStrictEqual(sorted(changed), sorted(listOf(after[name])))
    })
    const isEffective = steps.some(
      ({ before, after }) => listOf(before[name]).length !== listOf(after[name]).length,
    )
    if (isSo && isEffective && all.every(isScalar)) return option
  }
  return undefined
}

type Place = Pick<EntryOption, 'index' | 'by' | 'key'>

// Where a body may say at which place an entry comes.
function indexNames(steps: readonly Step[], body: readonly string[]): readonly Place[] {
  const names =
    body.length === 0
      ? []
      : steps.flatMap(({ sample }) => (isObject(sample.body) ? Object.keys(sample.body) : []))
  return [
    {},
    ...[...new Set(names)].filter((name) => name !== body[0]).map((name) => ({ index: pointerTo([name]) })),
  ]
}

// What a path names entries by: a field of them, or their places.
function keyNames(
  folded: Folded,
  steps: readonly { readonly before: readonly unknown[] }[],
): readonly Place[] {
  const by = folded.parameters.at(-1)
  const entries = steps.flatMap(({ before }) => before.filter(isObject))
  const names = new Set(entries.flatMap((entry) => Object.keys(entry)))
  return by === undefined ? [] : [...[...names].map((name) => ({ by, key: pointerTo([name]) })), { by }]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
