import { namesIn } from '../../collections/embedded.ts'
import { withJsonParts } from '../../collections/json-filter.ts'
import type { EmbeddedMember, EmbedsOption } from '../../engine/embeds-option.ts'
import { memberAt, withMember } from '../../engine/schema/member.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import type { Folded } from './fold-paths.ts'
import { type Item, type ItemPlace, listIn } from './item-place.ts'
import { findJoin, idsOfThings, type Pair, type Things } from './embedding-joins.ts'
import { isSafe } from '../../message.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Sample } from './sample.ts'

/** Paths as if items had nothing of other collections within them, and what those have that had. */
interface Separated {
  readonly folded: readonly Folded[]
  /** What answers to requests of a method and path have, without the place of the items; `undefined` for nothing. */
  embedsOf(at: Pick<Folded, 'host' | 'path'>, method: string): EmbedsOption | undefined
}

/** Where the items of a collection are, in answers about one of them and in lists. */
interface Places {
  readonly place: ItemPlace
  readonly collection: string
  readonly own: Folded | undefined
}

/** The items that an answer has, and where they are. */
interface Answer {
  readonly sample: Sample
  /** Whether it is a list of them. */
  readonly isList: boolean
  readonly path: readonly string[]
  readonly items: readonly Item[]
}

/**
 * Finds members that items have in some answers, as the query says or since one item is read, and that are items of other collections: those which
 * they refer to, or which refer to them. All else is learned as if they were not there, or the reference in their place.
 */
export function separateEmbedded(folded: readonly Folded[], places: ReadonlyMap<Folded, Places>): Separated {
  const embeds = new Map<string, EmbedsOption>()
  const changed = new Map<Sample, Sample>()
  let things: readonly Things[] | undefined
  for (const [items, { place, own, collection }] of places) {
    const [id, ...deeper] = place.id
    if (id === undefined || deeper.length > 0) continue
    const answers = [...answersOf(items, place, false), ...answersOf(own, place, true)]
    const found = candidatesIn(answers).flatMap((name): readonly Found[] => {
      const requested = requestedBy(name, answers)
      if (requested === undefined) return []
      things ??= thingsOf(places)
      const pairs = pairsOf(name, answers)
      const isInPlace = answers.some((answer) => answer.items.some((item) => isReference(item[name])))
      const found = findJoin(name, pairs, { id, isInPlace, things })
      if (found === undefined) return []
      const orNull = !isInPlace && answers.some((answer) => answer.items.some((item) => item[name] === null))
      const member = orNull ? { ...found, orNull } : found
      return [{ ...requested, name, member, isInPlace }]
    })
    const [first] = found
    if (first === undefined) continue
    // One parameter names all that a path has.
    const { parameter, always, onlyIn } = first
    const alike = found.filter(
      (each) => each.parameter === parameter && each.always === always && each.onlyIn === onlyIn,
    )
    const option = {
      ...(parameter !== undefined && { parameter }),
      ...(always && parameter !== undefined && { always }),
      members: Object.fromEntries(alike.map(({ name, member }) => [name, member])),
    }
    for (const path of [items.path, collection])
      for (const method of methodsOf(answers, alike)) {
        const isLeftOut = isSafe(method) && onlyIn === (path === collection ? 'items' : 'lists')
        if (!isLeftOut) embeds.set(keyOf({ host: items.host, path }, method), option)
      }
    for (const answer of answers) {
      const items = answer.items.map((item) => alike.reduce(withoutEmbedded, item))
      changed.set(answer.sample, withItems(answer, items))
    }
  }
  const embedsOf: Separated['embedsOf'] = (at, method) => embeds.get(keyOf(at, method))
  if (embeds.size === 0) return { folded, embedsOf }
  const plain = folded.map((each) => ({
    ...each,
    samples: each.samples.map((sample) => changed.get(sample) ?? sample),
  }))
  return { folded: plain, embedsOf }
}

function keyOf({ host = '', path }: Pick<Folded, 'host' | 'path'>, method: string): string {
  return `${method} ${host}${path}`
}

// Those that read, and others whose answers have what they would, too.
function methodsOf(answers: readonly Answer[], found: readonly Found[]): readonly string[] {
  const methods = [...new Set(answers.map(({ sample }) => sample.method))]
  return methods.filter((method) => {
    const own = answers.filter(({ sample }) => sample.method === method)
    if (isSafe(method)) return true
    return found.every(
      ({ name, parameter, always }) =>
        own.every((answer) => agrees(name, answer, parameter, always)) &&
        own.some(({ sample }) => isNamedIn(sample, parameter, always)(name)),
    )
  })
}

// What has nothing of the kind, or an empty list, says nothing.
function agrees(
  name: string,
  { sample, items }: Answer,
  parameter: string | undefined,
  always: boolean,
): boolean {
  return isNamedIn(sample, parameter, always)(name)
    ? !isShownPlain(name, items)
    : !items.some((item) => isEmbedded(item[name]))
}

function isNamedIn(
  { query }: Sample,
  parameter: string | undefined,
  always: boolean,
): (name: string) => boolean {
  return namesIn(parameter === undefined ? undefined : withJsonParts(query)[parameter], always)
}

interface Requested {
  readonly parameter: string | undefined
  readonly always: boolean
  /** Whether only what reads one item has it, or only lists. */
  readonly onlyIn?: 'items' | 'lists'
}

interface Found extends Requested {
  readonly name: string
  readonly member: EmbeddedMember
  /** Whether it stands in place of the reference. */
  readonly isInPlace: boolean
}

function answersOf(folded: Folded | undefined, { answer }: ItemPlace, isList: boolean): readonly Answer[] {
  return (folded?.samples ?? []).flatMap((sample): readonly Answer[] => {
    const { status, response } = sample
    if (status >= 300) return []
    if (isList && isSafe(sample.method)) {
      const list = listIn(response)
      return list === undefined ? [] : [{ sample, isList, path: list.path, items: list.items }]
    }
    const item = memberAt(response, answer)
    return isObject(item) ? [{ sample, isList: false, path: answer, items: [item] }] : []
  })
}

function withItems({ sample, path, items: before }: Answer, items: readonly Item[]): Sample {
  const whole = memberAt(sample.response, path)
  const next = new Map(before.map((item, at) => [item, items[at]]))
  const value: unknown = Array.isArray(whole)
    ? whole.map((item: unknown) => next.get(item as Item) ?? item)
    : items[0]
  const response = path.length === 0 ? value : withMember(sample.response as Item, path, value)
  return { ...sample, response }
}

function withoutEmbedded(item: Item, { name, member, isInPlace }: Found): Item {
  const value = item[name]
  const isNone = (Array.isArray(value) && value.length === 0) || (value === null && member.orNull === true)
  if (!isEmbedded(value) && !isNone) return item
  if (isInPlace) {
    const reference = Array.isArray(value)
      ? value.map((thing: unknown) => (isObject(thing) ? thing[member.by] : thing))
      : (value as Item)[member.by]
    return { ...item, [name]: reference }
  }
  return Object.fromEntries(Object.entries(item).filter(([each]) => each !== name))
}

// Things that some answers show and others do not.
function candidatesIn(answers: readonly Answer[]): readonly string[] {
  const names = new Set(
    answers.flatMap(({ items }) =>
      items.flatMap((item) => Object.keys(item).filter((name) => isEmbedded(item[name]))),
    ),
  )
  return [...names].filter((name) => answers.some(({ items }) => isShownPlain(name, items)))
}

function isShownPlain(name: string, items: readonly Item[]): boolean {
  return items.length > 0 && items.every((item) => !Object.hasOwn(item, name) || isReference(item[name]))
}

/** The query parameter by which answers have a member, where all of them agree. */
function requestedBy(name: string, answers: readonly Answer[]): Requested | undefined {
  const reads = answers.filter(({ sample, items }) => isSafe(sample.method) && items.length > 0)
  const isHidden = ({ items }: Answer): boolean => isShownPlain(name, items)
  const parameters = [...new Set(reads.flatMap(({ sample }) => Object.keys(withJsonParts(sample.query))))]
  const explains = (parameter: string, always: boolean): boolean =>
    reads.every((read) => agrees(name, read, parameter, always))
  for (const always of [false, true]) {
    const parameter = parameters.find((each) => explains(each, always))
    if (parameter !== undefined) return { parameter, always }
  }
  // What answers to writes do not show is there whenever items are read, or whenever one is, or they are listed.
  const hidden = reads.filter(isHidden)
  const shown = reads.filter((read) => !hidden.includes(read))
  const [first] = shown
  if (first === undefined) return undefined
  if (hidden.length === 0) return { parameter: undefined, always: true }
  const isOfKind = shown.every(({ isList }) => isList === first.isList)
  if (!isOfKind || hidden.some(({ isList }) => isList === first.isList)) return undefined
  return { parameter: undefined, always: true, onlyIn: first.isList ? 'lists' : 'items' }
}

function pairsOf(name: string, answers: readonly Answer[]): readonly Pair[] {
  return answers.flatMap(({ items }) =>
    items.flatMap((item) => {
      const value = item[name]
      if (!isEmbedded(value)) return []
      const things = [value].flat().filter(isObject)
      return [{ item, things, isList: Array.isArray(value) }]
    }),
  )
}

function thingsOf(places: ReadonlyMap<Folded, Places>): readonly Things[] {
  return [...places].flatMap(([items, { place, own, collection }]): readonly Things[] => {
    const [id, ...deeper] = place.id
    const parameters = collection.split('/').filter((segment) => segment.startsWith('{'))
    const [parameter] = parameters
    if (id === undefined || deeper.length > 0 || parameters.length > 1) return []
    const answers = [...answersOf(items, place, false), ...answersOf(own, place, true)]
    const known = idsOfThings(
      answers.flatMap(({ items: each }) => each),
      id,
    )
    if (parameter === undefined) return [{ at: collection, id, known }]
    const within = parametersWithin(answers, id, collection.split('/').indexOf(parameter) - 1)
    return [{ at: collection, id, known, within: { parameter: parameter.slice(1, -1), of: within } }]
  })
}

// Which values of a segment the paths had that showed an item.
function parametersWithin(
  answers: readonly Answer[],
  id: string,
  at: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { sample, items } of answers)
    for (const item of items) entryOf(found, String(item[id]), () => new Set()).add(sample.segments[at] ?? '')
  return found
}

function isEmbedded(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value)
}

function isReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && !value.some(isObject)
  return typeof value === 'string' || typeof value === 'number'
}

/** What a route's answers have, and where their items are. */
export function embedsIn({ embedded, output }: InferredRoute): EmbedsOption | undefined {
  if (embedded === undefined || output?.list === undefined) return embedded
  return { ...embedded, from: pointerTo([output.list]) }
}
