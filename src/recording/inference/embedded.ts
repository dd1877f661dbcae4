import { namesIn, valuesOf } from '../../collections/embedded.ts'
import { withJsonParts } from '../../collections/json-filter.ts'
import { plainParameter } from '../../collections/parameter-template.ts'
import type { EmbeddedMember, EmbedsOption } from '../../engine/embeds-option.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { requiredOf } from '../../engine/schema/keywords.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { findRelated } from './related-lists.ts'
import type { Item } from './item-place.ts'
import {
  type Answer,
  answersOf,
  isEmbedded,
  isReference,
  type Places,
  thingsOf,
  withItems,
} from './embedding-answers.ts'
import { findJoin, type Pair } from './embedding-joins.ts'
import { withHiddenReferences } from './hidden-references.ts'
import { singular } from './names.ts'
import { changePart } from './model-fields.ts'
import { isSafe } from '../../message.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Sample } from './sample.ts'

/** Paths as if items had nothing of other collections within them, and what those have that had. */
interface Separated {
  readonly folded: readonly Folded[]
  /** What answers to requests of a method and path have, without the place of the items; `undefined` for nothing. */
  embedsOf(at: Pick<Folded, 'host' | 'path'>, method: string): EmbedsOption | undefined
}

/**
 * Finds members that items have in some answers, as the query says or since one item is read, and that are items of other
 * collections: those which they refer to, or which refer to them. All else is learned as if they were not there, or the reference in their place.
 */
export function separateEmbedded(folded: readonly Folded[], given: ReadonlyMap<Folded, Places>): Separated {
  const embeds = new Map<string, EmbedsOption>()
  const changed = new Map<Sample, Sample>()
  const related = findRelated(folded, given)
  const { places, isHidden, original } = withHiddenReferences(given, related)
  // What was not shown is known for a reference by other answers.
  const isPlain: IsPlain = (name, { sample, path, items }) => {
    const { response } = original(sample)
    const isLeftOut = (item: unknown): boolean => isObject(item) && !Object.hasOwn(item, name)
    return (
      isShownPlain(name, items) || (items.length > 0 && [memberAt(response, path)].flat().every(isLeftOut))
    )
  }
  const relatedOf = new Map([...related].map(([items, each]) => [keyOf(items, ''), each]))
  const relating = new Set(
    [...related.keys()].map((items) => singular(given.get(items)?.collection.split('/').at(-1) ?? '')),
  )
  for (const [items, about] of places) {
    const { place, collection } = about
    const [id, ...deeper] = place.id
    if (id === undefined || deeper.length > 0) continue
    const answers = answersOf(items, about)
    const { names, paths } = relatedOf.get(keyOf(items, '')) ?? {
      names: [],
      paths: new Map<Folded, string>(),
    }
    const found = [...new Set([...candidatesIn(answers, relating), ...names])].flatMap(
      (name): readonly Found[] => {
        const requested = requestedBy(name, answers, isPlain)
        if (requested === undefined) return []
        const pairs = pairsOf(name, answers)
        const isInPlace =
          names.includes(name) ||
          answers.some((answer) => answer.items.some((item) => isReference(item[name])))
        const found = findJoin(name, pairs, { id, isInPlace, things: thingsOf(places) })
        if (found === undefined) return []
        const orNull =
          !isInPlace && answers.some((answer) => answer.items.some((item) => item[name] === null))
        const member = {
          ...found,
          ...(orNull && { orNull }),
          ...(isHidden(items, name) && { hidden: true }),
        }
        return [{ ...requested, name, member, isInPlace }]
      },
    )
    const [first] = found
    if (first === undefined) continue
    const { parameter, always, onlyIn } = first
    const alike = found.filter(
      (each) =>
        each.always === always &&
        each.onlyIn === onlyIn &&
        (each.parameter === undefined) === (parameter === undefined),
    )
    const option = {
      ...(parameter !== undefined && { parameter }),
      ...(always && parameter !== undefined && { always }),
      members: Object.fromEntries(
        alike.map(({ name, member, parameter: own }) => [
          name,
          own === parameter ? member : { ...member, parameter: own },
        ]),
      ),
    }
    for (const path of [items.path, collection])
      for (const method of methodsOf(answers, alike, isPlain)) {
        const isLeftOut = isSafe(method) && onlyIn === (path === collection ? 'items' : 'lists')
        if (!isLeftOut) embeds.set(keyOf({ host: items.host, path }, method), option)
      }
    for (const [{ host, path, samples }, name] of paths) {
      const own = answers.filter(({ sample }) => samples.includes(original(sample)))
      for (const method of methodsOf(own, alike, isPlain)) embeds.set(keyOf({ host, path }, method), option)
      const member = alike.find((each) => each.name === name)?.member
      if (member !== undefined) embeds.set(keyOf({ host, path }, 'GET'), { members: { [name]: member } })
    }
    for (const answer of answers) {
      const items = answer.items.map((item) => alike.reduce(withoutEmbedded, item))
      changed.set(original(answer.sample), withItems(answer, items))
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
function methodsOf(answers: readonly Answer[], found: readonly Found[], isPlain: IsPlain): readonly string[] {
  const methods = [...new Set(answers.map(({ sample }) => sample.method))]
  return methods.filter((method) => {
    const own = answers.filter(({ sample }) => sample.method === method)
    if (isSafe(method) || found.some(({ member }) => member.hidden === true)) return true
    return found.every(
      ({ name, parameter, always }) =>
        own.every((answer) => agrees(name, answer, parameter, always, isPlain)) &&
        own.some(({ sample }) => isNamedIn(sample, parameter, always)(name)),
    )
  })
}

// What has nothing of the kind, or an empty list, says nothing.
function agrees(
  name: string,
  answer: Answer,
  parameter: string | undefined,
  always: boolean,
  isPlain: IsPlain,
): boolean {
  return isNamedIn(answer.sample, parameter, always)(name)
    ? !isPlain(name, answer)
    : !answer.items.some((item) => isEmbedded(item[name]))
}

/** Whether an answer has no more of a member than references. */
type IsPlain = (name: string, answer: Answer) => boolean

function isNamedIn(
  { query }: Sample,
  parameter: string | undefined,
  always: boolean,
): (name: string) => boolean {
  return namesIn(parameter === undefined ? undefined : valuesOf(query, parameter), always)
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
function candidatesIn(answers: readonly Answer[], relating: ReadonlySet<string>): readonly string[] {
  const names = new Set(
    answers.flatMap(({ items }) =>
      items.flatMap((item) => Object.keys(item).filter((name) => isEmbedded(item[name]))),
    ),
  )
  const sent = new Set(answers.flatMap(({ sample: { body } }) => (isObject(body) ? Object.keys(body) : [])))
  return [...names].filter(
    (name) =>
      answers.some(({ items }) => isShownPlain(name, items)) ||
      (!sent.has(name) && isListOfEach(name, answers, relating.has(singular(name)) ? 1 : 2)),
  )
}

// A list that all have, and that is not that of one item alone, but where it has what others list in turn.
function isListOfEach(name: string, answers: readonly Answer[], least: number): boolean {
  const all = answers.flatMap(({ items }) => items)
  const lists = all.filter((item) => isEmbedded(item[name]))
  return all.every((item) => Array.isArray(item[name])) && new Set(lists.map(({ id }) => id)).size >= least
}

function isShownPlain(name: string, items: readonly Item[]): boolean {
  return items.length > 0 && items.every((item) => !Object.hasOwn(item, name) || isReference(item[name]))
}

/** The query parameter by which answers have a member, where all of them agree. */
function requestedBy(name: string, answers: readonly Answer[], isPlain: IsPlain): Requested | undefined {
  const reads = answers.filter(({ sample, items }) => isSafe(sample.method) && items.length > 0)
  const isHidden = (answer: Answer): boolean => isPlain(name, answer)
  const parameters = [
    ...new Set(
      reads.flatMap(({ sample }) =>
        Object.keys(withJsonParts(sample.query)).flatMap((name) => [plainParameter(name), rootOf(name)]),
      ),
    ),
  ]
  const explains = (parameter: string, always: boolean): boolean =>
    reads.every((read) => agrees(name, read, parameter, always, isPlain))
  for (const always of [false, true]) {
    // What every answer has depends on nothing, unless all of them name it.
    const parameter =
      always && !reads.some(isHidden) ? undefined : parameters.find((each) => explains(each, always))
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

// The name before all brackets.
function rootOf(name: string): string {
  const at = name.indexOf('[')
  return at > 0 ? name.slice(0, at) : name
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

/** What a route's answers have, and where their items are. @param isPart whether they are a part of an item that has it */
export function embedsIn({ embedded, output }: InferredRoute, isPart: boolean): EmbedsOption | undefined {
  if (embedded === undefined || output?.list === undefined || isPart) return embedded
  return { ...embedded, from: pointerTo([output.list]) }
}

/** A model of items in which what a member refers to may be answered in its place, or the reference not be shown. */
export function withEmbedded(model: Schema, { embedded }: InferredRoute): Schema {
  return Object.entries(embedded?.members ?? {}).reduce((whole, [name, { from, list = false, hidden }]) => {
    if (from !== name) return whole
    const required = requiredOf(whole).filter((each) => each !== name)
    const open = hidden === true ? { ...whole, required } : whole
    return changePart(open, [name], ({ type = [] }) => ({
      type: list ? 'array' : [...new Set([type, 'object'].flat())],
    }))
  }, model)
}
