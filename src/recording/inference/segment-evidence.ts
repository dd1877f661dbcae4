import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import { isScalar, segmentKind } from './values.ts'
import type { Sample } from './sample.ts'

/** The paths, without a slash before them, of what clients made: such a path ends in a name that a client or server chose. */
export type MadePaths = ReadonlySet<string>

/** What a path ends in that makes an item of the collection above it. */
const MAKES = /^(create|new|add|insert|register)$/i

const MAKING = /^(PUT|MKCOL|MKCALENDAR|MKACTIVITY|LINK|BIND)$/

/**
 * Finds what requests made: by a PUT or MKCOL that was answered 201, by PUTs that send objects of one form to paths beside
 * each other, by where the answer to a POST, COPY or MOVE says it is, by a POST that names it in its body or is answered with
 * its id, by a list of names at the path above, by a deletion that names what a POST added, or by a change after which a path that was not there is, or the other way round.
 */
export function findMade(samples: readonly Sample[]): MadePaths {
  const made = new Set<string>()
  const put = new Map<string, { readonly path: string; readonly body: object }>()
  const added = new Map<string, (readonly string[])[]>()
  const known = new Map<string, { isThere: boolean; isMissing: boolean; isChanged: boolean }>()
  for (const sample of samples) {
    const { method, segments, status, headers, body, response } = sample
    const path = segments.join('/')
    const seen = entryOf(known, path, () => ({ isThere: false, isMissing: false, isChanged: false }))
    const isFine = status < 300
    if (isFine) seen.isThere = true
    if (status === 404 || status === 410) seen.isMissing = true
    if (isFine && (method === 'DELETE' || MAKING.test(method))) seen.isChanged = true
    if (seen.isThere && seen.isMissing && seen.isChanged) made.add(path)
    if (!isFine) continue
    if (method === 'GET') for (const name of namesListed(segments, response)) made.add(`${path}/${name}`)
    for (const each of keyPaths(sample, added)) made.add(each)
    if (status === 201 && MAKING.test(method)) made.add(path)
    if (method === 'PUT' && isObject(body) && Object.keys(body).length > 0) {
      const above = segments.slice(0, -1).join('/')
      const other = put.get(above)
      if (other === undefined) put.set(above, { path, body })
      else if (other.path !== path && isAlike(other.body, body, 1)) made.add(other.path).add(path)
    }
    const named = [
      status === 201 ? locatedPath(sample) : undefined,
      method === 'COPY' || method === 'MOVE' ? pathOfReference(headers['destination']) : undefined,
    ]
    // Some servers name the collection that took what was sent.
    for (const each of named) if (each !== undefined && each !== path) made.add(each)
    const isMade = segments.length > 1 && MAKES.test(segments.at(-1) ?? '')
    const collection = isMade ? segments.slice(0, -1).join('/') : path
    if (method !== 'POST') continue
    for (const each of [body, response])
      if (isObject(each))
        entryOf(added, path, () => []).push(Object.values(each).filter(isScalar).map(String))
    for (const [name, value] of isObject(body) ? Object.entries(body) : [])
      if (isIdName(name) && isScalar(value)) made.add(`${collection}/${value}`)
    // A server that makes an id says it, and says again what a part of the body named.
    const parts = partsOf(body)
    for (const [name, value] of membersWithin(response)) {
      const isRepeated = isIdName(name) && parts.some((part) => part[name] === value)
      const isGiven = /(^_?|[a-z])(id|uu?id|guid)$/i.test(name)
      if ((isGiven || isRepeated) && isScalar(value)) made.add(`${collection}/${value}`)
    }
  }
  return made
}

/** Items are seldom named by more of their values than these. */
const MAX_KEYS = 3

// What is deleted by a value, or named by several, of what was added to the collection above: `/tags/color/red`.
function keyPaths(
  { method, segments }: Sample,
  added: ReadonlyMap<string, readonly (readonly string[])[]>,
): readonly string[] {
  for (let keys = method === 'DELETE' ? 1 : 2; keys <= MAX_KEYS && keys < segments.length; keys++) {
    const last = segments.slice(-keys)
    const items = added.get(segments.slice(0, -keys).join('/')) ?? []
    if (new Set(last).size === keys && items.some((values) => last.every((each) => values.includes(each))))
      return last.map((_, at) => segments.slice(0, segments.length - at).join('/'))
  }
  return []
}

// The objects that an object has.
function partsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isObject(value) ? Object.values(value).filter(isObject) : []
}

function membersWithin(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? [value, ...partsOf(value), ...entriesOf(value)].flatMap(Object.entries) : []
}

// What adds an entry to a list may be answered with all that has the list.
function entriesOf(value: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Object.values(value).flatMap((each) => (Array.isArray(each) ? each.filter(isObject) : []))
}

// A list of plain names is of what is below, but for that of an API's own resources.
function namesListed(segments: readonly string[], response: unknown): readonly string[] {
  const last = segments.at(-1) ?? ''
  if (!Array.isArray(response) || last === '' || isApiRoot(last)) return []
  return response.every((each) => typeof each === 'string') ? response : []
}

/** The path of a URL or path, decoded and without slashes at its ends; `undefined` where there is none. */
export function pathOfReference(reference: string | undefined): string | undefined {
  return segmentsOfReference(reference)?.join('/')
}

/** The path that the `Location` of an answer names, relative to that of the request (RFC 9110, section 10.2.2). */
export function locatedPath({ responseHeaders, segments }: Sample): string | undefined {
  return locatedSegments(responseHeaders['location'], segments)?.join('/')
}

// Some servers leave out the slash before a whole path.
function locatedSegments(
  location: string | undefined,
  segments: readonly string[],
): readonly string[] | undefined {
  const named = segmentsOfReference(location)
  if (location === undefined || named === undefined || /^(\/|[a-z][a-z\d+.-]*:)/i.test(location)) return named
  if (segments.every((each, at) => each === named[at])) return named
  const url = new URL(location, `http://any/${segments.map(encodeURIComponent).join('/')}`)
  return segmentsOfReference(url.pathname)
}

/** The same by its segments. */
export function segmentsOfReference(reference: string | undefined): readonly string[] | undefined {
  if (reference === undefined || !URL.canParse(reference, 'http://any')) return undefined
  const { pathname } = new URL(reference, 'http://any')
  const segments = pathname.split('/').filter((segment) => segment !== '')
  return segments.map(decodeSegment)
}

/** The id of what a request made, where its answer says that it is below the path of the request. */
export function madeId({ method, status, responseHeaders, segments }: Sample): string | undefined {
  const named = locatedSegments(responseHeaders['location'], segments)
  if (method !== 'POST' || status !== 201 || named === undefined) return undefined
  const isBelow = named.length === segments.length + 1 && segments.every((each, at) => each === named[at])
  return isBelow ? named.at(-1) : undefined
}

/** Whether a field is called as those are that hold ids. */
export function isIdName(name: string): boolean {
  return /(^|[a-z_-])(id|uuid|key|slug|name|login|code|number)$/i.test(name)
}

/** An item is named by its own id rather than by that of another, which it may share by chance: 0 before 1, and that before 2. */
export function rankOfId(name: string): number {
  return name.toLowerCase() === 'id' ? 0 : isIdName(name) ? 1 : 2
}

/** Whether a segment is none, as in the path `/`, or what servers call operations beside names of their users' choice: `_all_docs`, `$metadata`. */
export function isReserved(segment: string): boolean {
  return segment === '' || /^(_(?!_)|[$~]|\.well-known$)/.test(segment)
}

interface MadeAt {
  readonly depth: number
  readonly made: MadePaths
  /** Whether names of resources are more likely there than values. */
  readonly isNamed: boolean
}

/**
 * Words that name what requests made. A name that all of several parents have is none that a client chose:
 * `/users/7/avatar`; nor is the only one beside collections: `/api/settings`.
 */
export function chosenWords(
  words: readonly string[],
  byLiteral: ReadonlyMap<string, readonly Sample[]>,
  { depth, made, isNamed }: MadeAt,
): ReadonlySet<string> {
  const placesOf = (word: string): ReadonlySet<string> =>
    new Set((byLiteral.get(word) ?? []).map(({ segments }) => segments.slice(0, depth + 1).join('/')))
  const places = words.map((word) => ({ word, paths: [...placesOf(word)] }))
  const chosen = places.filter(({ paths }) => paths.some((path) => made.has(path)))
  const isOnce = ({ paths }: (typeof chosen)[number]): boolean => paths.length === 1
  const isAbove = ({ segments, status }: Sample): boolean => segments.length > depth + 1 && status < 300
  const isBesideCollections = (own: string): boolean =>
    words.some((word) => word !== own && byLiteral.get(word)?.some(isAbove) === true)
  const [only] = chosen
  const isOwn = isNamed && chosen.length === 1 && isBesideCollections(only?.word ?? '')
  return new Set(chosen.some(isOnce) && !isOwn ? chosen.map(({ word }) => word) : [])
}

/** Whether what a request made below a path has a drawn id, which may begin as what is reserved does. */
export function isDrawnIn(segment: string, above: readonly string[], made: MadePaths): boolean {
  return /[A-Z\d]/.test(segment) && made.has([...above, segment].join('/'))
}

/** Whether a segment stands above names of resources rather than of items: `api`, `v1`, `2.0`. */
export function isApiRoot(segment: string): boolean {
  return /^(api|apis|rest|v?\d+(\.\d+)*((alpha|beta)\d*)?)$/i.test(segment)
}

/** Forms of answers by what is requested below a segment. */
type Forms = ReadonlyMap<string, unknown>

/** Words with what is requested below them, of which those in one place are answered alike. */
export interface Alike {
  readonly words: string[]
  /** Whether all that was requested is further below. */
  readonly isAbove: boolean
}

/** No more groups than these are looked through for a word. */
const MAX_GROUPS = 32

/**
 * Groups words that may be values of one parameter: the same is requested of them, or below them, and it is answered in
 * the same form, so that `/users` and `/orders` are not taken for such.
 */
export function groupAlike(
  byWord: ReadonlyMap<string, readonly Sample[]>,
  words: readonly string[],
  depth: number,
): readonly Alike[] {
  const groups: { readonly alike: Alike; readonly forms: Map<string, unknown> }[] = []
  for (const word of words) {
    const forms = formsBelow(byWord.get(word) ?? [], depth)
    const isAbove = forms.size > 0 && ![...forms.keys()].some((key) => key.endsWith(' '))
    const group = groups
      .slice(0, MAX_GROUPS)
      .find((each) => each.alike.isAbove === isAbove && agree(each.forms, forms))
    if (group === undefined) {
      groups.push({ alike: { words: [word], isAbove }, forms: new Map(forms) })
      continue
    }
    group.alike.words.push(word)
    for (const [key, form] of forms) if (!group.forms.has(key)) group.forms.set(key, form)
  }
  // Of some items only what is below them is requested, and of others they themselves as well.
  const whole = groups.filter(({ alike }) => !alike.isAbove)
  const joined = groups.filter(({ alike, forms }) => {
    const into = alike.isAbove
      ? whole.slice(0, MAX_GROUPS).find((each) => hasAll(each.forms, forms))
      : undefined
    into?.alike.words.push(...alike.words)
    return into === undefined
  })
  return joined.map(({ alike }) => alike)
}

function formsBelow(samples: readonly Sample[], depth: number): Forms {
  const forms = new Map<string, unknown>()
  for (const { method, segments, status, response, body } of samples) {
    if (status >= 400) continue
    // Where an answer says nothing, what was sent shows what was wanted.
    const saysNothing = method === 'POST' && !isObject(response) && !Array.isArray(response)
    const form = saysNothing ? (body ?? '') : response
    const below = segments
      .slice(depth + 1)
      .map((segment) => (segmentKind(segment) === 'word' ? segment : '{}'))
    const key = `${method} ${below.join('/')}`
    if (!forms.has(key)) forms.set(key, form)
  }
  return forms
}

function agree(some: Forms, others: Forms): boolean {
  const shared = [...others].filter(([key]) => some.has(key))
  return shared.length > 0 && shared.every(([key, form]) => isAlike(some.get(key), form, MAX_DEPTH))
}

function hasAll(some: Forms, others: Forms): boolean {
  return agree(some, others) && [...others.keys()].every((key) => some.has(key))
}

const MAX_DEPTH = 3

/** Whether two answers may be of one kind. */
function isAlike(a: unknown, b: unknown, depth: number): boolean {
  if (a === null || b === null || a === undefined || b === undefined || depth === 0) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return false
    return a.length === 0 || b.length === 0 || isAlike(a[0], b[0], depth - 1)
  }
  if (!isObject(a) || !isObject(b)) return !isObject(a) && !isObject(b)
  const [names, others] = [Object.keys(a), Object.keys(b)]
  if (names.length === 0 || others.length === 0) return true
  const shared = names.filter((name) => Object.hasOwn(b, name))
  const all = names.length + others.length - shared.length
  return shared.length * 2 >= all && shared.every((name) => isAlike(a[name], b[name], depth - 1))
}
