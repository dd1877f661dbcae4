import { isDeepStrictEqual } from 'node:util'
import { pick } from '../../collections/item-output.ts'
import { holdsText } from '../../collections/list-query.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isSafe } from '../../message.ts'
import { pathShape } from '../../routing/path-template.ts'
import { madeKind } from '../../shape/made-values.ts'
import { type Elsewhere, type Sought } from './elsewhere.ts'
import { amountsOf, valuesMade } from './action-values.ts'
import { numbersSeen } from './numbers-seen.ts'
import {
  type Around,
  type Effect,
  effectOf,
  isConflict,
  isOfBody,
  isReplaced,
  isSentAgain,
  lastKnown,
  touchesOf,
  transitionOf,
} from './action-states.ts'
import { findComputedFields } from './computed-fields.ts'
import { findEntryWrites } from './entry-writes.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace, itemView } from './item-place.ts'
import { withIds } from './named-items.ts'
import { pathOf, type Sample } from './sample.ts'
import { findRepeatedIds, withoutRepeated } from './repeated-ids.ts'
import { isTaken } from './taken.ts'
import { findSightings, type OtherPath, otherPath } from './sightings.ts'

/**
 * Finds the paths below an item, such as `/posts/{id}/publish`, whose requests change or remove it, by what is read of
 * the item before and after, and those of the collection whose bodies have its id.
 * @param others the other paths of the host
 */
export function findActions(sought: Sought, others: readonly Folded[]): readonly Elsewhere[] {
  const able = others.filter(({ path }) => pathShape(path).startsWith(`${pathShape(sought.path)}/`))
  const named = others.filter(({ path }) => isOfAll(path, sought.collection))
  if (able.length + named.length === 0) return []
  const below = able.filter(({ path }) => isBelow(path, sought.path))
  const sightings = findSightings(sought)
  // When anything was done by paths below an item, by its own path.
  const done = able.flatMap(({ samples }) =>
    samples.filter(({ method, status }) => !isSafe(method) && status < 300),
  )
  const shown = [...sought.items, ...sought.own].flatMap((sample) => {
    const { status, response } = itemView(sample, sought.place)
    return status < 300 && isObject(response) ? [response] : []
  })
  const repeats = findRepeatedIds(shown, sought.place)
  const isOfPath = ({ response, segments }: Sample): boolean =>
    segments.includes(idIn(response, sought.place) ?? '')
  const answered = done.map((sample) => itemView(sample, sought.place)).filter(isOfPath)
  const items = [...shown, ...answered.map(({ response }) => response).filter(isObject)]
  const computes = findComputedFields(items, new Set(sought.place.id))
  const entries = findEntryWrites(sought, able, repeats, computes)
  const actions = below.flatMap((folded) => {
    const ofEntries = entries.filter(({ path }) => path === folded.path).map(({ method }) => method)
    const methods = new Set(folded.samples.flatMap(({ method }) => (isSafe(method) ? [] : [method])))
    return [...methods]
      .filter((method) => !ofEntries.includes(method))
      .flatMap((method) => actionAt(folded, method, { ...sought, sightings, done, repeats, computes }) ?? [])
  })
  const byBody = named.flatMap((folded) =>
    methodsOf(
      folded,
      folded.path === sought.collection ? ['PUT', 'PATCH'] : ['PUT', 'PATCH', 'POST'],
    ).flatMap((method) => {
      const around = { ...sought, sightings, done, repeats, computes }
      const other = byIdInBody(folded, method, around)
      return (other && actionAt(folded, method, around, other)) ?? []
    }),
  )
  return [...actions, ...entries, ...byBody]
}

// The path of the collection, or a word after it.
function isOfAll(path: string, collection: string): boolean {
  return (
    path === collection ||
    (path.startsWith(`${collection}/`) && /^[^{}/]+$/.test(path.slice(collection.length + 1)))
  )
}

function methodsOf({ samples }: Folded, wanted: readonly string[]): readonly string[] {
  return wanted.filter((method) => samples.some((sample) => sample.method === method))
}

/** Where the items are whose ids all bodies have, and that were all there before. */
function byIdInBody(
  { samples }: Folded,
  method: string,
  { collection, path, place, sightings, idOf }: Around,
): OtherPath | undefined {
  const end = path.slice(collection.length)
  if (!path.startsWith(collection) || !/^\/\{[^{}]+\}$/.test(end)) return undefined
  const segments = (sample: Sample): readonly string[] => [
    ...sample.segments.slice(0, collection.split('/').length - 1),
    idIn(itemView(sample, place).body, place) ?? '',
  ]
  const isKnown = (sample: Sample): boolean => {
    const own = segments(sample)
    const at = pathOf({ segments: own.slice(0, -1) })
    return (
      sightings.get(at)?.before(idOf(at, own.at(-1) ?? '', sample.index), sample.index)?.item !== undefined
    )
  }
  const fine = samples.filter((sample) => sample.method === method && sample.status < 300)
  return fine.length > 0 && fine.every(isKnown) ? { at: path, segments } : undefined
}

// The path of the item, and after it nothing but words.
function isBelow(path: string, items: string): boolean {
  const [shape, wanted] = [pathShape(path), pathShape(items)]
  return shape.startsWith(`${wanted}/`) && !shape.slice(wanted.length).includes('{')
}

function actionAt(
  folded: Folded,
  method: string,
  around: Around,
  other: OtherPath | undefined = otherPath(around.path, folded),
): Elsewhere | undefined {
  const own = folded.samples.filter((sample) => sample.method === method)
  if (other === undefined) return undefined
  const fine = own.filter((sample) => sample.status < 300 && !isSentAgain(sample, own))
  const effects = fine.map((sample) => effectOf(sample, other.segments(sample), around))
  const [gone, known] = [effects.filter(({ isGone }) => isGone), effects.filter(({ after }) => after)]
  const common = { method, path: folded.path, at: other.at }
  const segmentsOf = (sample: Sample): readonly string[] =>
    withIds([{ ...sample, segments: other.segments(sample) }], around.idOf)[0]?.segments ?? []
  const moved = (as: string): readonly Sample[] =>
    own.map((sample) => {
      const { response: _response, body: _body, ...rest } = sample
      const after = effects.find((each) => each.sample === sample)?.after
      return {
        ...{ ...rest, segments: segmentsOf(sample), method: as },
        ...(isObject(sample.body) && { body: sample.body }),
        ...(after !== undefined && { response: after }),
      }
    })
  if (gone.length > 0 && known.length === 0)
    return { ...common, does: 'remove', isShown: false, samples: moved('DELETE') }
  const before = (sample: Sample): Item | undefined => lastKnown(sample, other.segments(sample), around)
  const seen = numbersSeen(effects, other, around)
  const amounts = amountsOf(fine, own.filter(isConflict), seen)
  if ((known.length === 0 && amounts === undefined) || gone.length > 0) return undefined
  const isAdded = (name: string): boolean => Object.hasOwn(amounts?.adds ?? {}, name)
  const isComputed = (name: string): boolean => Object.hasOwn(around.computes, pointerTo([name]))
  const made = valuesMade(known, (name) => isAdded(name) || isComputed(name) || name === around.place.id[0])
  const isMade = (name: string): boolean => isAdded(name) || isComputed(name) || Object.hasOwn(made, name)
  const sets = pick(fieldsSet(known, around.place), (name) => !isMade(name))
  const { kept, drops } = fieldsSent(known, around.repeats)
  const touches = { ...(kept.length === 0 && touchesOf(known).touches), ...made }
  if ([sets, kept, amounts?.adds ?? {}, made].every((each) => Object.keys(each).length === 0))
    return undefined
  const isShown = effects.every((each) => each.isShown)
  const replaces = kept.length > 0 && isReplaced(known, around.place)
  const isState = Object.keys(sets).length > 0
  const inState = own.filter((sample) => !isOfBody(sample, own))
  const { from } = isState ? transitionOf(inState, effects, sets, before) : {}
  const once = isState && isOnce(own, around, other.segments)
  const refused = new Map(
    inState.filter(isConflict).flatMap((sample) => {
      if (amounts?.isShort(sample) === true) return [[sample.index, seen.before(sample) ?? {}] as const]
      const item = before(sample)
      const isFrom = (name: string): boolean => from?.[name]?.includes(item?.[name]) === false
      const isOf = Object.keys(from ?? {}).some(isFrom) || (once && isTaken(sample))
      return item !== undefined && isOf ? [[sample.index, item] as const] : []
    }),
  )
  return {
    ...{ ...common, does: 'change', isShown, keepsSent: kept.length > 0 },
    ...{ samples: moved(replaces ? 'PUT' : 'PATCH'), ...(replaces && { replaces }) },
    ...((isState || kept.length === 0) && { sets, once, ...(from && { from }) }),
    ...(Object.keys(touches).length > 0 && { touches }),
    ...(amounts && { adds: amounts.adds }),
    ...(Object.keys(amounts?.least ?? {}).length > 0 && { least: amounts?.least }),
    ...(refused.size > 0 && { refused }),
    ...(kept.length > 0 && drops.length > 0 && { drops }),
  }
}

// What has another value than before, and the same one after each request.
function fieldsSet(effects: readonly Effect[], place: ItemPlace): Item {
  const [first] = effects
  const id = idIn(first?.after, place)
  const fixed = Object.entries(first?.after ?? {}).filter(([name, value]) => {
    const isSame = effects.every(({ after }) => isDeepStrictEqual(after?.[name], value))
    const isSent = effects.some(({ sample: { body } }) => isObject(body) && Object.hasOwn(body, name))
    const isMade =
      (typeof value === 'string' && madeKind(value) !== undefined) ||
      (isObject(value) && id !== undefined && id.length > 1 && holdsText(value, id.toLowerCase()))
    // Lists may show less of an item.
    const isSeen = (before: Item): boolean => typeof value !== 'object' || Object.hasOwn(before, name)
    const isChanged = effects.some(({ before }) => before && isSeen(before) && !isPartOf(before[name], value))
    return isSame && isChanged && !isSent && !isMade
  })
  return Object.fromEntries(fixed)
}

// Some answers show less of a member than others.
function isPartOf(part: unknown, whole: unknown): boolean {
  if (!isObject(part) || !isObject(whole)) return isDeepStrictEqual(part, whole)
  return Object.entries(part).every(([name, value]) => isPartOf(value, whole[name]))
}

// Refused where nothing else was done to the item since, and never done twice.
function isOnce(
  own: readonly Sample[],
  { done }: Around,
  segmentsOf: (sample: Sample) => readonly string[],
): boolean {
  const isLast = (sample: Sample): boolean => {
    const id = segmentsOf(sample).at(-1) ?? ''
    const before = done.filter(({ index, segments }) => index < sample.index && segments.includes(id))
    const last = before.toSorted((a, b) => a.index - b.index).at(-1)
    return last !== undefined && own.includes(last)
  }
  return (
    own.some((sample) => isTaken(sample) && isLast(sample)) &&
    !own.some((sample) => sample.status < 300 && isLast(sample))
  )
}

// What of the bodies the items have afterwards, and what they have not.
function fieldsSent(
  effects: readonly Effect[],
  repeats: Around['repeats'],
): {
  readonly kept: readonly string[]
  readonly drops: readonly string[]
} {
  const sent = effects.flatMap(({ sample: { body }, after = {} }) => {
    const own = withoutRepeated(after, repeats)
    return isObject(body)
      ? Object.entries(body).map(([name, value]) => ({ name, isKept: isDeepStrictEqual(own[name], value) }))
      : []
  })
  const names = [...new Set(sent.map(({ name }) => name))].toSorted()
  const isKept = (name: string): boolean => sent.every((each) => each.name !== name || each.isKept)
  return { kept: names.filter(isKept), drops: names.filter((name) => !isKept(name)) }
}
