import type { ChoiceRule, Envelope } from '../../engine/call-model.ts'
import { escapeKey } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, entryOf, groupBy } from '../../grouping.ts'
import type { SelectedField } from '../../routing/selection.ts'
import { madeKind } from '../../shape/made-values.ts'
import { hasBody, pathOf, type Sample } from '../inference/sample.ts'
import { type Answered, type Call, type CallForm, CREATING, isReading, type ReadCall } from './call.ts'
import { findEnvelope, openEnvelope } from './envelope.ts'
import { findChoices, innerCalls } from './infer-choice.ts'
import { idMember, repeatedMembers } from './id-members.ts'
import type { Item } from './objects.ts'
import { memberKey, nameKey } from './show.ts'

/** A recorded call, what it came to, and which objects are in its result. */
export interface CallSample extends ReadCall {
  readonly objects: readonly ObjectSeen[]
}

/** What a recording shows of calls. */
export interface CallsSeen {
  readonly calls: readonly CallSample[]
  readonly envelope: Envelope | undefined
  /** What is chosen by calls that make others, by name. */
  readonly choices: ReadonlyMap<string, ChoiceRule>
}

/** An object in the result of a call. */
export interface ObjectSeen {
  /** Where: the call's name, a JSON pointer with `-` for every item, and of an object within another, that one's place. */
  readonly place: string
  /** Its place in the result; `-` stands for any item of a list. */
  readonly pointer: string
  readonly item: Item
  /** The member that has its id. */
  readonly id: string
  /** What it says its type is, or a fragment it was selected by. */
  readonly typeName: string | undefined
  /** Whether there is only its id, rather than an object. */
  readonly isName?: boolean
  /** The object that it is a member of, and the member. */
  readonly parent?: { readonly seen: ObjectSeen; readonly member: string }
}

const MAX_DEPTH = 8

/** The calls of recorded exchanges in order. */
export function readCalls(samples: readonly Sample[], form: CallForm): CallsSeen {
  const read = samples.flatMap((sample) => {
    const calls = form.read({ ...sample, path: pathOf(sample) })
    const outcomes = calls && form.outcomes(answeredIn(sample), calls)
    if (calls === undefined || outcomes === undefined) return []
    return calls.map((call, at): ReadCall => {
      const outcome = outcomes[at] ?? {}
      const value = plain(outcome.value, call.selects)
      return { call, outcome, value }
    })
  })
  const wrapped = form.unwrapsLists === true ? withLists(read) : read
  const fine = wrapped.filter(
    ({ outcome, call }) => outcome.error === undefined && call.selects === undefined,
  )
  const envelope = findEnvelope(fine.map(({ call, value }) => ({ name: call.name, value })))
  const opened =
    envelope === undefined
      ? wrapped
      : wrapped.map((each) => ({ ...each, ...openEnvelope(envelope, each.value) }))
  const choices = findChoices(opened, envelope)
  const all = opened.flatMap((each) => [each, ...innerCalls(each, choices)])
  const repeated = repeatedMembers(all)
  const plainly = all.map((each) => objectsIn(each.call, each.value, repeated))
  const names = namesIn(all, plainly.flat())
  return {
    calls: all.map((each, at) => ({
      ...each,
      objects: [...(plainly[at] ?? []), ...namedIn(each, names)],
    })),
    ...{ envelope, choices },
  }
}

/** An id that was given or shown, and the member that has it. */
type Names = ReadonlyMap<string, string>

function namesIn(calls: readonly ReadCall[], seen: readonly ObjectSeen[]): Names {
  const given = calls
    .filter(({ call }) => CREATING.test(call.name))
    .flatMap(({ call }) => Object.entries(call.args).filter(([name]) => NAMING.test(name)))
    .flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[value, name]] : []))
  const shown = seen.flatMap(({ item, id }): [string, string][] =>
    typeof item[id] === 'string' ? [[item[id], id]] : [],
  )
  return new Map([...given, ...shown].filter(([value]) => value.length >= MIN_NAME))
}

const NAMING = /(name|id|arn|key|url|uri)$/i
const MIN_NAME = 3

// Objects of which a list has the ids alone.
function namedIn({ call, value }: ReadCall, names: Names): readonly ObjectSeen[] {
  if (call.selects !== undefined || !isObject(value) || !isReading(call.name)) return []
  return Object.entries(value).flatMap(([member, part]): readonly ObjectSeen[] => {
    const ids = Array.isArray(part) ? (part as unknown[]) : []
    const found = new Set(ids.map((each) => (typeof each === 'string' ? names.get(each) : undefined)))
    const [id] = found
    if (id === undefined || found.size > 1) return []
    const place = `${call.name}/${member}`
    const pointer = `/${escapeKey(member)}/-`
    return ids.map((each) => ({
      place,
      pointer,
      item: { [id]: each },
      id,
      typeName: undefined,
      isName: true,
    }))
  })
}

function answeredIn(sample: Sample): Answered {
  const { status, response, responseHeaders } = sample
  return { status, headers: responseHeaders, ...(hasBody(sample) && { body: response }) }
}

// A member that is a list in one result of a call is one in all.
function withLists(calls: readonly ReadCall[]): readonly ReadCall[] {
  const lists = new Set<string>()
  const note = (value: unknown, place: string): void => {
    if (Array.isArray(value)) lists.add(place)
    for (const part of [value].flat())
      if (isObject(part)) for (const [name, each] of Object.entries(part)) note(each, `${place}/${name}`)
  }
  const wrap = (value: unknown, place: string): unknown => {
    const change = (part: unknown): unknown =>
      isObject(part)
        ? Object.fromEntries(
            Object.entries(part).map(([name, each]) => [name, wrap(each, `${place}/${name}`)]),
          )
        : part
    if (!lists.has(place)) return change(value)
    return value === '' ? [] : [value].flat().map(change)
  }
  for (const { call, value } of calls) note(value, call.name)
  return calls.map((each) => ({ ...each, value: wrap(each.value, each.call.name) }))
}

/** A value with the members of objects by their own names. */
function plain(value: unknown, selects: readonly SelectedField[] | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each, selects))
  if (!isObject(value) || selects === undefined || selects.length === 0) return value
  const entries = selects
    .filter(({ alias }) => Object.hasOwn(value, alias))
    .map((field) => [memberKey(field), plain(value[field.alias], field.fields)])
  return Object.fromEntries(entries)
}

function objectsIn(
  { name, selects }: Call,
  result: unknown,
  repeated: ReadonlySet<string>,
): readonly ObjectSeen[] {
  const found: ObjectSeen[] = []
  const walk = (
    value: unknown,
    at: { readonly place: string; readonly pointer: string; readonly fields: readonly SelectedField[] },
    parent?: ObjectSeen['parent'],
    depth = 0,
  ): void => {
    const { place, pointer, fields } = at
    if (depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, { ...at, pointer: `${pointer}/-` }, parent, depth + 1)
      return
    }
    if (!isObject(value)) return
    const id = idMember(value, repeated, plainName(place))
    const typeName =
      typeof value['__typename'] === 'string' ? value['__typename'] : fields.find(({ on }) => on)?.on
    const seen =
      id === undefined ? undefined : { place, pointer, item: value, id, typeName, ...(parent && { parent }) }
    if (seen !== undefined) found.push(seen)
    // What is within an object is one of its own only where a call selects it.
    if (seen !== undefined && selects === undefined) return
    for (const [member, part] of Object.entries(value)) {
      const below = fields.find((field) => memberKey(field) === member)?.fields ?? []
      const next = { place: `${place}/${member}`, pointer: `${pointer}/${escapeKey(member)}`, fields: below }
      walk(part, next, seen === undefined ? parent : { seen, member }, depth + 1)
    }
  }
  walk(result, { place: name, pointer: '', fields: selects ?? [] })
  return found
}

/** The types of places: those whose objects say so, or are the same objects, have one. */
export function typesOf(calls: readonly CallSample[]): ReadonlyMap<string, string> {
  const all = calls.flatMap(({ objects }) => objects)
  const leaders = new Map<string, string>(all.map(({ place }) => [place, place]))
  const leaderOf = (place: string): string => {
    const next = leaders.get(place) ?? place
    return next === place ? place : leaderOf(next)
  }
  const join = (places: readonly string[]): void => {
    const [first, ...others] = places.map(leaderOf)
    for (const other of others) leaders.set(other, first as string)
  }
  for (const [name, own] of groupBy(all, ({ typeName }) => typeName))
    if (name !== undefined) join([...new Set(own.map(({ place }) => place))])
  const byId = groupBy(all, ({ item, id }) => `${id} ${String(item[id])}`)
  for (const alike of byId.values()) {
    const places = [...groupBy(alike, ({ place }) => place).values()].map(([each]) => each as ObjectSeen)
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1)) if (areSame(one, other)) join([one.place, other.place])
  }
  // What is called alike is of one type, such as what is found by `books` and by `addBook`.
  const outer = all.filter(({ parent }) => parent === undefined)
  for (const [, own] of groupBy(outer, ({ place, id }) => `${nameKey(plainName(place))} ${id}`))
    join([...new Set(own.map(({ place }) => place))])
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const [leader, own] of groupBy(all, ({ place }) => leaderOf(place))) {
    const [said] = [...countEach(own.flatMap(({ typeName }) => typeName ?? []))].toSorted(
      ([, a], [, b]) => b - a,
    )
    let name = said?.[0] ?? plainName(leader)
    while (taken.has(name)) name += '_'
    taken.add(name)
    names.set(leader, name)
  }
  return new Map([...leaders.keys()].map((place) => [place, names.get(leaderOf(place)) ?? place]))
}

/** Objects with one id and so many members of the same names are of one type. */
const MIN_ALIKE = 4

// With one id, objects are the same where they say the same of themselves, in a text at least or in several ways.
function areSame({ item: a, id }: ObjectSeen, { item: b }: ObjectSeen): boolean {
  // No two types have the same long id.
  if (madeKind(String(a[id])) !== undefined) return true
  const isAlone = [a, b].some((each) => Object.keys(each).length === 1)
  if (isAlone && typeof a[id] === 'string' && a[id].length >= MIN_NAME) return true
  const names = [Object.keys(a), Object.keys(b)].toSorted((some, others) => some.length - others.length)
  if (
    MIN_ALIKE <= (names[0]?.length ?? 0) &&
    names[0]?.every((name) => Object.hasOwn(b, name) && Object.hasOwn(a, name))
  )
    return true
  const shared = Object.keys(a).filter(
    (name) => Object.hasOwn(b, name) && !isObject(a[name]) && !Array.isArray(a[name]),
  )
  const own = shared.filter((name) => name !== id && a[name] !== null)
  const same = own.filter((name) => a[name] === b[name])
  const isShown = same.length > 1 || same.some((name) => typeof a[name] === 'string' && a[name].length > 2)
  return isShown && same.length * 2 > own.length
}

// Of a member the member's, of a call what it is for.
function plainName(place: string): string {
  // XML has an element for each item of a list.
  const [call = place, ...members] = place.replace(/(?<=\/[^/]+)\/(member|item|entry)$/, '').split('/')
  const name =
    members.length === 1 && /^(data|items|results?|nodes|edges|list|value|return)$/i.test(members[0] ?? '')
      ? call
      : (members.at(-1) ?? call)
  const word = name.slice(name.lastIndexOf('.') + 1)
  return (
    word.replace(
      /^_?(get|all|list|find|create|add|insert|update|change|rename|set|delete|remove|fetch|query)_?(?=[A-Z_a-z])/i,
      '',
    ) || word
  )
}

/** Values by a key, each with the first that came. */
export function firstsOf<Value>(pairs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>()
  for (const [key, value] of pairs) entryOf(found, key, () => value)
  return found
}
