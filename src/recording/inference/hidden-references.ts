import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import {
  type Answer,
  answersOf,
  isEmbedded,
  isReference,
  type Places,
  thingsOf,
  withItems,
} from './embedding-answers.ts'
import { targetOf, type Things } from './embedding-joins.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import type { Related } from './related-lists.ts'
import type { Sample } from './sample.ts'

/** Collections as if items showed what they refer to. */
interface Shown {
  readonly places: ReadonlyMap<Folded, Places>
  /** Whether items do not show it. */
  isHidden(items: Folded, name: string): boolean
  /** The exchange as it was recorded. */
  original(sample: Sample): Sample
}

/**
 * Finds members that are sent as ids, that no answer has as such, and that some answers have as the items of those ids:
 * all other answers are seen as if they had the ids.
 * @param related members that are lists of others, which paths below the items change
 */
export function withHiddenReferences(
  places: ReadonlyMap<Folded, Places>,
  related: ReadonlyMap<Folded, Related>,
): Shown {
  const hidden = new Map<Folded, ReadonlySet<string>>()
  const recorded = new Map<Sample, Sample>()
  const all = [...places].map(([items, given]): [Folded, Places] => {
    const { names = [], paths = new Map<Folded, string>() } = related.get(items) ?? {}
    const each = paths.size === 0 ? given : { ...given, below: [...paths.keys()] }
    const { place, own, below } = each
    const answers = answersOf(items, each).toSorted((a, b) => a.sample.index - b.sample.index)
    const found = [...new Set([...candidatesIn(answers, place), ...names])].flatMap((name) => {
      const target = targetOf(name, thingsIn(name, answers), thingsOf(places))
      const states = target && statesOf(name, answers, place, target, names.includes(name))
      return states === undefined ? [] : [{ name, states }]
    })
    if (found.length === 0) return [items, each]
    const shown = new Map(
      answers.map((answer, at) => {
        const whole = answer.items.map((item) =>
          found.reduce<Item>((known, { name, states }) => {
            return Object.hasOwn(item, name) ? known : { ...known, [name]: states(idIn(item, place), at) }
          }, item),
        )
        return [answer.sample, withItems(answer, whole)]
      }),
    )
    for (const [sample, changed] of shown) recorded.set(changed, sample)
    const asShown = (folded: Folded): Folded => ({
      ...folded,
      samples: folded.samples.map((sample) => shown.get(sample) ?? sample),
    })
    const changed = asShown(items)
    hidden.set(changed, new Set(found.map(({ name }) => name)))
    const shownBelow = below && { below: below.map(asShown) }
    return [changed, { ...each, own: own && asShown(own), ...shownBelow }]
  })
  return {
    places: hidden.size === 0 ? places : new Map(all),
    isHidden: (items, name) => hidden.get(items)?.has(name) === true,
    original: (sample) => recorded.get(sample) ?? sample,
  }
}

// What is sent as a reference, and read as what it refers to or not at all.
function candidatesIn(answers: readonly Answer[], place: ItemPlace): readonly string[] {
  const sent = new Set(
    answers.flatMap(({ sample }) => {
      const body = isSafe(sample.method) ? undefined : memberAt(sample.body, place.body)
      return isObject(body) ? Object.keys(body).filter((name) => isReference(body[name])) : []
    }),
  )
  const reads = answers.filter(({ sample }) => isSafe(sample.method))
  return [...sent].filter(
    (name) =>
      reads.some(({ items }) => items.some((item) => isEmbedded(item[name]))) &&
      reads.some(({ items }) => items.length > 0 && items.every((item) => !Object.hasOwn(item, name))) &&
      !answers.some(({ items }) => items.some((item) => isReference(item[name]))),
  )
}

function thingsIn(name: string, answers: readonly Answer[]): readonly Item[] {
  return answers.flatMap(({ items }) => items.flatMap((item) => [item[name]].flat().filter(isObject)))
}

/** What an item refers to when an answer comes. @param at the place of the answer among all */
type StateOf = (id: string | undefined, at: number) => unknown

// Known by what was sent last, or else by what is shown next.
function statesOf(
  name: string,
  answers: readonly Answer[],
  place: ItemPlace,
  { id: field }: Things,
  isRelated: boolean,
): StateOf | undefined {
  const states = new Map<string, { readonly at: number; readonly value: unknown }[]>()
  let [agreed, others] = [0, 0]
  const areLists = answers.some(({ items }) => items.some((item) => Array.isArray(item[name])))
  for (const [at, { sample, items }] of answers.entries()) {
    const body = isSafe(sample.method) ? undefined : memberAt(sample.body, place.body)
    for (const item of items) {
      const id = idIn(item, place)
      if (id === undefined) continue
      const own = entryOf(states, id, () => [])
      if (isObject(body) && Object.hasOwn(body, name)) own.push({ at, value: body[name] })
      if (!isEmbedded(item[name])) continue
      const things = [item[name]].flat().filter(isObject)
      const value = Array.isArray(item[name]) ? things.map((thing) => thing[field]) : things[0]?.[field]
      const known = own.at(-1)
      if (known !== undefined) {
        if (keysOf(known.value) === keysOf(value)) agreed++
        else others++
      }
      own.push({ at, value })
    }
  }
  if (!isRelated && (agreed === 0 || others * 4 > agreed)) return undefined
  return (id = '', at) => {
    const own = states.get(id) ?? []
    const known = own.findLast((state) => state.at <= at) ?? own[0]
    return known?.value ?? (areLists ? [] : null)
  }
}

function keysOf(value: unknown): string {
  return [value].flat().map(String).toSorted().join('\n')
}
