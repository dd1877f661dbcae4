import { isDeepStrictEqual } from 'node:util'
import { createEntryChange } from '../../collections/entry-operation.ts'
import type { EntryOption } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import { pathShape } from '../../routing/path-template.ts'
import type { Elsewhere, Sought } from './elsewhere.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, itemView } from './item-place.ts'
import { withoutRepeated } from './repeated-ids.ts'
import type { Sample } from './sample.ts'
import { otherPath } from './sightings.ts'

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
  const before = ({ index }: Sample, id: string): Item | undefined => {
    const last = aboutItem
      .get(id)
      ?.findLast(
        ({ sample }) =>
          sample.index < index &&
          sample.status < 300 &&
          (!isSafe(sample.method) || shown(sample, id) !== undefined),
      )
    return last && shown(last.sample, id)
  }
  return below.flatMap(({ folded, other, ofEntry }) =>
    (ofEntry ? ['PUT', 'DELETE'] : ['POST']).flatMap((method): Elsewhere[] => {
      const own = folded.samples.filter((sample) => sample.method === method)
      const fine = own.filter(({ status }) => status < 300)
      const steps = fine.flatMap((sample): Step[] => {
        const id = other.segments(sample).at(-1) ?? ''
        const [was, after] = [before(sample, id), shown(sample, id)]
        return was === undefined || after === undefined ? [] : [{ sample, before: was, after }]
      })
      const entry =
        steps.length === 0 || steps.length < fine.length ? undefined : entryOption(folded, method, steps)
      // What is not there may be the entry.
      const samples = fine.map(({ body: _body, ...sample }) => ({
        ...{ ...sample, method: 'PATCH', segments: other.segments(sample) },
      }))
      const common = { method, path: folded.path, at: other.at, does: 'change', isShown: true } as const
      return entry === undefined ? [] : [{ ...common, entry, samples }]
    }),
  )
}

// How all of them change the one list that they change.
function entryOption(folded: Folded, method: string, steps: readonly Step[]): EntryOption | undefined {
  const [first] = steps as [Step]
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
      for (const place of method === 'POST' ? indexNames(steps, body) : keyNames(folded, own)) {
        const option = {
          list: pointerTo([name]),
          ...(body.length > 0 && { body: pointerTo(body) }),
          ...place,
        }
        const change = createEntryChange(method, option)
        const isSo = own.every(({ sample, before, after }) =>
          isDeepStrictEqual(change(before, { body: sample.body, params: folded.values(sample) }), after),
        )
        if (isSo) return option
      }
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
