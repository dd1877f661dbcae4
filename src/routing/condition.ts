import { essenceOf } from '../media-type.ts'
import type { Headers } from '../message.ts'
import { negotiatorOf } from './negotiator.ts'
import { normalizeSelection } from './selection.ts'

/** A JSON value that a place may have. */
export type ConditionValue = string | number | boolean | null

/** What may stand beside the place that a condition names. */
interface Wanted {
  /** The value that must be there; without it, any. */
  readonly equals?: ConditionValue | undefined
}

/** One thing that a request must be like to be for a route. It names one place, and what must be there. */
export type Condition =
  | (Wanted & { readonly header: string })
  | (Wanted & { readonly query: string })
  /** A field of a form (urlencoded or multipart), or of the query where the form has none of that name. */
  | (Wanted & { readonly form: string })
  /** A JSON pointer into the body (RFC 6901), such as `/method`. */
  | (Wanted & { readonly pointer: string })
  | /**
     * A path of XML elements by their local names, whose text it is: `/methodCall/methodName`. The last may be `*`, whose
     * name it is, `/Envelope/Body/*`, or an attribute such as `@type`.
     */
    (Wanted & { readonly element: string })
    /** The operation of a GraphQL document as it selects, such as `query { user { id } }`; arguments do not count. */
  | { readonly selection: string }
  /** The media type of the body. */
  | { readonly contentType: string }
  /** The media type that the client likes best. */
  | { readonly accept: string }

/** All that a request must be like. */
export type When = Condition | readonly Condition[]

/** Where a condition may look, by the key that says so. */
export const PLACES = [
  'header',
  'query',
  'form',
  'pointer',
  'element',
  'selection',
  'contentType',
  'accept',
] as const

export type Place = (typeof PLACES)[number]

/** Where the value itself stands beside the place, as its name. */
export const OWN_VALUE: readonly Place[] = ['selection', 'contentType', 'accept']
const IN_BODY: readonly Place[] = ['form', 'pointer', 'element', 'selection']

/** What of a request's body conditions look at. */
export interface RoutingContent {
  /** The value at a place; `undefined` where there is none, or the body is not of that kind. */
  value(place: Place, name: string): unknown
}

/** What of a request conditions look at. */
export interface ConditionRequest {
  readonly headers?: Headers | undefined
  /** Without the question mark. */
  readonly search?: string | undefined
  /** Absent until it was read. */
  readonly content?: RoutingContent | undefined
}

/** A condition as it is checked. */
export interface CompiledCondition {
  readonly place: Place
  /** Of a header in lower case; empty for a place without names. */
  readonly name: string
  /** `undefined` for any. */
  readonly equals: ConditionValue | undefined
  readonly isInBody: boolean
}

/** Conditions in one form, in an order of their own. */
export function compileWhen(when: When): CompiledCondition[] {
  const list: readonly Condition[] = isList(when) ? when : [when]
  const conditions = list.map((each): CompiledCondition => {
    const place = placeIn(each) as Place
    const text = String((each as Readonly<Record<string, unknown>>)[place])
    const isInBody = IN_BODY.includes(place)
    if (!OWN_VALUE.includes(place)) {
      const name = place === 'header' ? text.toLowerCase() : text
      return { place, name, equals: (each as Wanted).equals, isInBody }
    }
    const equals = place === 'selection' ? normalizeSelection(text) : essenceOf(text)
    return { place, name: '', equals, isInBody }
  })
  return conditions.toSorted((a, b) => Number(a.isInBody) - Number(b.isInBody) || order(keyOf(a), keyOf(b)))
}

function isList(when: When): when is readonly Condition[] {
  return Array.isArray(when)
}

function order(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}

/** The place that a condition names; `undefined` for none. */
export function placeIn(condition: object): Place | undefined {
  return PLACES.find((place) => Object.hasOwn(condition, place))
}

/** Conditions that no others are alike to, and that those which ask for the same share. */
export function whenKey(conditions: readonly CompiledCondition[]): string {
  return conditions.map(keyOf).join(' and ')
}

function keyOf({ place, name, equals }: CompiledCondition): string {
  return `${place} ${name}${equals === undefined ? '' : ` = ${JSON.stringify(equals)}`}`
}

/** A name for what conditions distinguish: the values that they want, or else the places they want one at. */
export function whenName(conditions: readonly CompiledCondition[]): string {
  return conditions
    .map(({ name, equals }) => (equals === undefined ? name : String(equals)))
    .join('&')
    .replace(/\s+/g, ' ')
}

/** Where conditions look, in words. */
export function placesText(conditions: readonly CompiledCondition[]): string {
  const words = conditions.map(({ place, name }) => WORDS[place].replace('%', name))
  return [...new Set(words)].join(' and ')
}

/** A condition in words, such as `the header x-kind as "a"`. */
export function conditionText(condition: CompiledCondition): string {
  const { equals } = condition
  return `${placesText([condition])}${equals === undefined ? '' : ` as ${JSON.stringify(equals)}`}`
}

const WORDS: Readonly<Record<Place, string>> = {
  header: 'the header %',
  query: 'the query field %',
  form: 'the query or form field %',
  pointer: "the body's %",
  element: 'the element %',
  selection: 'the GraphQL selection',
  contentType: 'the content type',
  accept: 'the accepted media type',
}

/** Whether a request is as all conditions want it. Those on the body fit none whose body was not read. */
export function fitsAll(conditions: readonly CompiledCondition[], request: ConditionRequest): boolean {
  return conditions.every(({ place, name, equals }) => {
    const value = valueAt(place, name, request)
    return equals === undefined ? value !== undefined : isSame(value, equals)
  })
}

/** Whether the head of a request has what is required of it. A header that is empty is none. */
export function meetsRequired(required: readonly CompiledCondition[], request: ConditionRequest): boolean {
  const isEmpty = required.some(
    ({ place, name, equals }) =>
      place === 'header' && equals === undefined && valueAt(place, name, request) === '',
  )
  return !isEmpty && fitsAll(required, request)
}

/** Whether a body that nobody has read may still decide that a request is as conditions want it. */
export function couldFit(when: readonly CompiledCondition[], request: ConditionRequest): boolean {
  const ofHead = when.filter(({ isInBody }) => !isInBody)
  return ofHead.length < when.length && fitsAll(ofHead, request)
}

/** How soon conditions are tried: those that ask for more come first. */
export function weightOf(when: readonly CompiledCondition[]): number {
  const withValue = when.filter(({ equals }) => equals !== undefined).length
  return when.length * 1_000 + withValue * 2 + (when.some(({ isInBody }) => isInBody) ? 0 : 1)
}

// What a form, query or header holds is a text: 7 in a file is its 7.
function isSame(value: unknown, wanted: ConditionValue): boolean {
  return value === wanted || (typeof value === 'string' && String(wanted) === value)
}

/** The value that a request has at a place; `undefined` for none. */
export function valueAt(place: Place, name: string, request: ConditionRequest): unknown {
  const { headers = {}, search = '', content } = request
  switch (place) {
    case 'header':
      return headerText(headers, name)
    case 'query':
      return queryValue(search, name)
    case 'form':
      return queryValue(search, name) ?? content?.value(place, name)
    case 'contentType':
      return typeOf(headerText(headers, 'content-type'))
    case 'accept':
      return preferredType(headerText(headers, 'accept'))
    default:
      return content?.value(place, name)
  }
}

function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

function queryValue(search: string, name: string): string | undefined {
  return search === '' ? undefined : (new URLSearchParams(search).get(name) ?? undefined)
}

function typeOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : essenceOf(text)
}

/** The media type of the highest quality in an Accept header, the first of several (RFC 9110, section 12.5.1). */
function preferredType(accept: string | undefined): string | undefined {
  return accept === undefined ? undefined : negotiatorOf({ accept }).mediaTypes()[0]?.toLowerCase()
}
