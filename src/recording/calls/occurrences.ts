import type { ChoiceRule, Envelope } from '../../engine/call-model.ts'
import { escapeKey } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import type { SelectedField } from '../../routing/selection.ts'
import { hasBody, pathOf, type Sample } from '../inference/sample.ts'
import { type Answered, type Call, type CallForm, CREATING, isReading, type ReadCall } from './call.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { findEnvelope, openEnvelope } from './envelope.ts'
import { findChoices, innerCalls } from './infer-choice.ts'
import { withFoundIds, withoutNameless } from './found-ids.ts'
import { typedPlace, typeNameOf } from './fragment-place.ts'
import { withGivenIds } from './given-ids.ts'
import { alikeMembers, handlesIn, idMember, isAbsent, repeatedMembers } from './id-members.ts'
import { plainName } from './place-names.ts'
import { namedPlainly } from './selected-value.ts'
import { fieldName, memberKey } from './show.ts'

/** What a recording shows of calls. */
export interface CallsSeen {
  readonly calls: readonly CallSample[]
  readonly envelope: Envelope | undefined
  /** What is chosen by calls that make others, by name. */
  readonly choices: ReadonlyMap<string, ChoiceRule>
}

const MAX_DEPTH = 8

/** The calls of recorded exchanges in order. */
export function readCalls(samples: readonly Sample[], form: CallForm): CallsSeen {
  const [fineSample] = samples.filter(({ status }) => status < 300)
  const usualType = fineSample?.responseHeaders['content-type']
  const read = samples.flatMap((sample) => {
    const calls = form.read({ ...sample, path: pathOf(sample) })
    const outcomes = calls && form.outcomes(answeredIn(sample), calls)
    if (calls === undefined || outcomes === undefined) return []
    return calls.map((call, at): ReadCall => {
      const outcome = outcomes[at] ?? {}
      const value = namedPlainly(outcome.value, call.selects)
      const type = sample.responseHeaders['content-type']
      const isOther = outcome.error !== undefined && calls.length === 1 && type !== usualType
      const headers = isOther && type !== undefined ? { 'content-type': type } : undefined
      return { call, outcome: headers === undefined ? outcome : { headers, ...outcome }, value }
    })
  })
  const wrapped = form.unwrapsLists === true ? withLists(read) : withGivenIds(read)
  const fine = wrapped.filter(
    ({ outcome, call }) => outcome.error === undefined && call.selects === undefined,
  )
  // What is around results, the protocol itself may know.
  const envelope =
    form.semantics === undefined
      ? findEnvelope(fine.map(({ call, value }) => ({ name: call.name, value })))
      : undefined
  const open =
    envelope === undefined
      ? wrapped
      : wrapped.map((each) => ({ ...each, ...openEnvelope(envelope, each.value) }))
  const isSelecting = open.some(({ call }) => call.selects !== undefined)
  const opened = isSelecting ? withFoundIds(plainlyRead(open)) : open
  const choices = findChoices(opened, envelope)
  const all = opened.flatMap((each) => [each, ...innerCalls(each, choices)])
  const plainly = plainlyRead(all)
  const own = isSelecting ? withoutNameless(plainly) : plainly
  const names = namesIn(
    all,
    own.flatMap(({ objects }) => objects),
  )
  return {
    calls: own.map((each) => ({ ...each, objects: [...each.objects, ...namedIn(each, names)] })),
    ...{ envelope, choices },
  }
}

function plainlyRead(all: readonly ReadCall[]): readonly CallSample[] {
  const [repeated, handles, alike] = [repeatedMembers(all), handlesIn(all), alikeMembers(all)]
  return all.map((each) => ({
    ...each,
    objects: objectsIn(each.call, each.value, { repeated, handles, alike }),
  }))
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

function objectsIn(
  { name, selects }: Call,
  result: unknown,
  { repeated, handles, alike }: Readonly<Record<'repeated' | 'handles' | 'alike', ReadonlySet<string>>>,
): readonly ObjectSeen[] {
  const found: ObjectSeen[] = []
  const walk = (
    value: unknown,
    at: { readonly place: string; readonly pointer: string; readonly fields: readonly SelectedField[] },
    parent?: ObjectSeen['parent'],
    depth = 0,
  ): void => {
    const { pointer, fields } = at
    if (depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, { ...at, pointer: `${pointer}/-` }, parent, depth + 1)
      return
    }
    if (!isObject(value) || (pointer.endsWith('/-') && isAbsent(value))) return
    const typeName = typeNameOf(value, fields)
    const own = typedPlace(value, at.place, fields)
    const place = own ?? at.place
    const id = own === undefined ? undefined : idMember(value, repeated, plainName(place), handles, alike)
    const isHandle = id !== undefined && handles.has(id)
    const seen =
      id === undefined
        ? undefined
        : {
            place,
            pointer,
            item: value,
            id,
            typeName,
            ...(parent && { parent }),
            ...(isHandle && { isHandle }),
            ...(selects !== undefined && { isSelected: true }),
          }
    if (seen !== undefined) found.push(seen)
    // What is within an object is one of its own only where a call selects it.
    if (seen !== undefined && selects === undefined) return
    for (const [member, part] of Object.entries(value)) {
      const below = fields.find((field) => memberKey(field) === member)?.fields ?? []
      const next = {
        place: `${place}/${fieldName(member)}`,
        pointer: `${pointer}/${escapeKey(member)}`,
        fields: below,
      }
      walk(part, next, seen === undefined ? parent : { seen, member }, depth + 1)
    }
  }
  walk(result, { place: name, pointer: '', fields: selects ?? [] })
  return found
}

/** Values by a key, each with the first that came. */
export function firstsOf<Value>(pairs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>()
  for (const [key, value] of pairs) entryOf(found, key, () => value)
  return found
}
