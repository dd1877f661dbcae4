import { isObject } from '../../engine/schema/schema.ts'
import { formatsOf } from '../../shape/formats.ts'
import { formOfMade } from '../../shape/made-values.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import type { Computes } from './computed-fields.ts'
import type { Elsewhere, Sought } from './elsewhere.ts'
import { fieldIssues } from './field-issues.ts'
import { idIn, type Item, type ItemPlace, itemView } from './item-place.ts'
import type { ItemWrites } from './item-writes.ts'
import { pathOf, type Sample } from './sample.ts'
import type { Sightings } from './sightings.ts'

/** What is known of the item of a request, before it and after it. */
export interface Effect {
  readonly sample: Sample
  readonly before: Item | undefined
  readonly after: Item | undefined
  readonly isGone: boolean
  /** Whether the answer is the item. */
  readonly isShown: boolean
}

/** What is known of the items that actions may be about. */
export interface Around extends Sought {
  readonly sightings: ReadonlyMap<string, Sightings>
  readonly done: readonly Sample[]
  readonly repeats: Readonly<Record<string, string>>
  readonly computes: Computes
}

/** What an item was when a request came, by what was read of it or what another one did to it. */
export function lastKnown(
  { index }: Sample,
  segments: readonly string[],
  { sightings, place, done, idOf }: Around,
): Item | undefined {
  const path = pathOf({ segments: segments.slice(0, -1) })
  const id = idOf(path, segments.at(-1) ?? '', index)
  const seen = sightings.get(path)?.before(id, index)
  const last = lastDone(done, segments.at(-1) ?? '', seen?.index ?? -1, index)
  if (last === undefined) return seen?.item
  const { response } = itemView(last, place)
  return isObject(response) && idIn(response, place) === id ? response : undefined
}

/** The last of the actions on an item between two exchanges. */
export function lastDone(
  done: readonly Sample[],
  id: string,
  after: number,
  before: number,
): Sample | undefined {
  return done
    .filter(({ index, segments }) => index < before && index > after && segments.includes(id))
    .toSorted((a, b) => b.index - a.index)[0]
}

/** The values that items had which were changed, where others were refused for having another. */
export function transitionOf(
  own: readonly Sample[],
  effects: readonly Effect[],
  sets: Item,
  before: (sample: Sample) => Item | undefined,
): Pick<Elsewhere, 'from'> {
  const refused = own.filter(isConflict).map(before)
  const found = Object.keys(sets).filter((name) => {
    const values = effects.flatMap((each) => (each.before === undefined ? [] : [each.before[name]]))
    const isOther = (item: Item | undefined): boolean =>
      item !== undefined && Object.hasOwn(item, name) && !values.includes(item[name])
    return values.length > 0 && values.every(isState) && refused.length > 0 && refused.every(isOther)
  })
  const [field] = found
  if (field === undefined) return {}
  const values = new Set(effects.flatMap((each) => (each.before === undefined ? [] : [each.before[field]])))
  return { from: { [field]: [...values] } }
}

/** Whether a value may be a state: numbers are none, whatever they are changed to. */
export function isState(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'string' && WORDS.test(value))
}

const WORDS = /^[a-z][a-z _-]{0,40}$/i

/** Times that an action sets: what was none, or another one, before. */
export function touchesOf(effects: readonly Effect[]): Pick<Elsewhere, 'touches'> {
  const isTime = (value: unknown): boolean =>
    typeof value === 'string' && formatsOf(value).includes('date-time')
  const names = Object.keys(effects[0]?.after ?? {}).filter(
    (name) =>
      effects.every(
        ({ before, after }) => isTime(after?.[name]) && (!before || before[name] !== after?.[name]),
      ) && effects.some(({ before }) => before !== undefined),
  )
  const models = names.map((name) => [name, formOfMade(effects.map(({ after }) => after?.[name]))])
  return names.length === 0 ? {} : { touches: Object.fromEntries(models) as ItemWrites['touches'] }
}

/** What a request did to its item, by what is known of that. */
export function effectOf(sample: Sample, segments: readonly string[], around: Around): Effect {
  const { sightings, place, done, idOf } = around
  const { index } = sample
  const path = pathOf({ segments: segments.slice(0, -1) })
  const id = idOf(path, segments.at(-1) ?? '', index)
  const seen = sightings.get(path)
  const { response } = itemView(sample, place)
  const isShown = isObject(response) && idIn(response, place) === id
  const [before, next] = [seen?.before(id, index), seen?.after(id, index)]
  // What was done in between may have had the effect.
  const isOther = (from: number, to: number): boolean =>
    done.some((each) => each.index > from && each.index < to && each.segments.includes(segments.at(-1) ?? ''))
  const isOwn = next?.isRead === true && !isOther(index, next.index)
  const read = isOwn ? next : undefined
  const shownBefore = done.findLast(
    (each) =>
      each.index < index &&
      each.segments.includes(segments.at(-1) ?? '') &&
      idIn(itemView(each, place).response, place) === id,
  )
  const isLater = shownBefore !== undefined && shownBefore.index > (before?.index ?? -1)
  const last = isLater
    ? { index: shownBefore.index, item: itemView(shownBefore, place).response as Item }
    : before
  const known = last !== undefined && !isOther(last.index, index) ? last.item : undefined
  return {
    ...{ sample, isShown, before: known },
    after: isShown ? response : read?.item,
    isGone: !isShown && read !== undefined && read.item === undefined && before?.item !== undefined,
  }
}

/** Whether a client that had no answer sent its request again, by a key that says so. */
export function isSentAgain(sample: Sample, own: readonly Sample[]): boolean {
  const { index, headers } = sample
  const key = headers['idempotency-key']
  return (
    key !== undefined &&
    own.some(
      (each) =>
        each.index < index && pathOf(each) === pathOf(sample) && each.headers['idempotency-key'] === key,
    )
  )
}

/** Whether a request was refused for what it says, or for what its item is. */
export function isConflict({ status }: Sample): boolean {
  return /^(400|403|409|412|422)$/.test(String(status))
}

/** Whether it was for what it says, which the answer names. */
export function isOfBody(sample: Sample, own: readonly Sample[]): boolean {
  if (sample.status === 409 || !isConflict(sample)) return false
  const text = textOfAnswer(sample.response)
  const sent = isObject(sample.body) ? Object.values(sample.body) : []
  return (
    sent.some(
      (value) => typeof value === 'string' && value.length > 2 && value.length < 200 && speaksOf(text, value),
    ) || fieldIssues(sample, own).some(({ field }) => speaksOf(text, field))
  )
}

/** Whether most of what items had and was not sent again is gone. */
export function isReplaced(effects: readonly Effect[], place: ItemPlace): boolean {
  const unsent = effects.flatMap(({ before = {}, after = {}, sample: { body } }) =>
    Object.keys(before).flatMap((name) =>
      name === place.id[0] || before[name] == null || (isObject(body) && Object.hasOwn(body, name))
        ? []
        : [after[name] == null],
    ),
  )
  return unsent.filter((isGone) => isGone).length * 2 > unsent.length
}
