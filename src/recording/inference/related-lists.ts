import type { EmbeddedMember } from '../../engine/embeds-option.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { pathShape } from '../../routing/path-template.ts'
import { type Answer, answersOf, isEmbedded, type Places, thingsOf } from './embedding-answers.ts'
import { findJoin, type Pair, targetOf } from './embedding-joins.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item } from './item-place.ts'
import type { Sample } from './sample.ts'

/** Members of the items of a collection that have items of another one, which requests put there and take away. */
export interface Related {
  readonly names: readonly string[]
  /** The paths below the items at which that is done, by the member that is called like them. */
  readonly paths: ReadonlyMap<Folded, string>
}

/**
 * Finds members that paths below an item add other items to and remove them from, by the ids of these, where neither of
 * the two refers to the other: the labels of a task, by `PUT /tasks/{id}/labels/{label}`.
 */
export function findRelated(
  folded: readonly Folded[],
  places: ReadonlyMap<Folded, Places>,
): ReadonlyMap<Folded, Related> {
  const found = new Map<Folded, Related>()
  const belowOf = groupBy(folded.flatMap(belowItems), ({ path: { host }, above }) => `${host} ${above}`)
  for (const [items, about] of places) {
    const below = belowOf.get(`${items.host} ${pathShape(items.path)}`) ?? []
    const able = below.filter(({ isOfOne }) => isOfOne)
    if (able.length === 0) continue
    const answers = answersOf(items, { ...about, below: below.map(({ path }) => path) }).toSorted(
      (a, b) => a.sample.index - b.sample.index,
    )
    const names = able.flatMap(({ path, word }) =>
      isRelated(word, path, answers, [items, about], places) ? [word] : [],
    )
    if (names.length === 0) continue
    const own = below.filter(({ word }) => names.includes(word))
    found.set(items, { names, paths: new Map(own.map(({ path, word }) => [path, word])) })
  }
  return found
}

interface Below {
  readonly path: Folded
  /** The shape of the items' path. */
  readonly above: string
  readonly word: string
  /** Whether it names one of the other items. */
  readonly isOfOne: boolean
}

function belowItems(path: Folded): readonly Below[] {
  const [, above = '', word, one] = /^(.*\/\{\})\/([^/{}]+)(\/\{\})?$/.exec(pathShape(path.path)) ?? []
  return word === undefined ? [] : [{ path, above, word, isOfOne: one !== undefined }]
}

function isRelated(
  name: string,
  { samples }: Folded,
  answers: readonly Answer[],
  [items, about]: readonly [Folded, Places],
  places: ReadonlyMap<Folded, Places>,
): boolean {
  const writes = samples.filter(({ method, status }) => WRITES.test(method) && status < 300)
  const all = answers.flatMap((answer) => answer.items)
  const things = all.flatMap((item) => [item[name]].flat().filter(isObject))
  const target = targetOf(name, things, thingsOf(places))
  if (target === undefined || target.within !== undefined || writes.length === 0) return false
  const at = items.path.split('/').length - 2
  const states = writes.map((sample) => stateAfter(sample, name, sample.segments[at] ?? '', answers, about))
  const isDone = (sample: Sample, list: readonly unknown[] | undefined): boolean => {
    const id = sample.segments.at(-1)
    const isThere = list?.some((each) => isObject(each) && String(each[target.id]) === id) === true
    return list === undefined || isThere === (sample.method !== 'DELETE')
  }
  const isKnown = states.some((list, index) => list !== undefined && writes[index]?.method !== 'DELETE')
  if (!isKnown || !writes.every((sample, index) => isDone(sample, states[index]))) return false
  const pairs = all.flatMap((item): Pair[] =>
    isEmbedded(item[name]) ? [{ item, things: [item[name]].flat().filter(isObject), isList: true }] : [],
  )
  const [id = ''] = about.place.id
  const join = findJoin(name, pairs, { id, isInPlace: false, things: thingsOf(places) })
  // What lists them in turn does not refer to one of them.
  const isList = ({ by }: EmbeddedMember): boolean =>
    [...target.known.values()].flat().some((thing) => Array.isArray(thing[by]))
  return join === undefined || isList(join)
}

const WRITES = /^(PUT|POST|DELETE)$/

// What the list is once a request was answered, by that or by the next answer with the item.
function stateAfter(
  { index }: Sample,
  name: string,
  id: string,
  answers: readonly Answer[],
  { place }: Places,
): readonly unknown[] | undefined {
  const isOf = (item: Item): boolean => idIn(item, place) === id
  const next = answers.find(({ sample, items }) => sample.index >= index && items.some(isOf))
  const list = next === undefined ? undefined : memberAt(next.items.find(isOf), [name])
  return Array.isArray(list) ? list : undefined
}
