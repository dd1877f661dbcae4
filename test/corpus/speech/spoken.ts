import { isDeepStrictEqual } from 'node:util'
import { follow, isJson, textOf, type Json } from '../json.ts'

/** Whether a value fits a schema of the document. */
export type Fits = (schema: unknown, value: unknown) => boolean

/** What a description says that a property has, and what an answer has there. */
export interface Spoken {
  /** Such as `items/name`. */
  readonly path: string
  readonly isShown: boolean
  /** Whether a request, another resource or the page decides what is there, so that the description does not. */
  readonly isDecided: boolean
  readonly said: unknown
  readonly shown: unknown
}

/** The examples that a description gives of an answer's body, in its order. */
export function bodyExamplesOf(document: Json, media: Json): readonly unknown[] {
  const named = Object.values(isJson(media['examples']) ? media['examples'] : {}).flatMap((each) => {
    const example = follow(document, each)
    return 'value' in example ? [example['value']] : []
  })
  return 'example' in media ? [media['example'], ...named] : named
}

/** What a description says of an answer. */
export interface Said {
  readonly schema: unknown
  readonly examples: readonly unknown[]
}

/** What is said of the JSON that an operation answers when it succeeds. */
export function successOf(document: Json, operation: Json): Said | undefined {
  const responses = Object.entries((operation['responses'] ?? {}) as Json)
  const named = responses
    .filter(([status]) => /^2\d\d$/.test(status))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [, given] =
    named[0] ??
    responses.find(([status]) => /^2XX$/i.test(status)) ??
    responses.find(([status]) => status === 'default') ??
    []
  const response = follow(document, given)
  if (document['swagger'] === '2.0') {
    const examples = Object.entries(isJson(response['examples']) ? response['examples'] : {})
    const json =
      examples.find(([type]) => type === 'application/json') ??
      examples.find(([type]) => /[/+]json/.test(type))
    const produces = (operation['produces'] ?? document['produces'] ?? ['application/json']) as string[]
    const isJsonType = produces.length === 0 || produces.some((type) => /[/+]json/.test(type))
    if (!isJsonType || (response['schema'] === undefined && json === undefined)) return undefined
    return { schema: response['schema'], examples: json === undefined ? [] : [json[1]] }
  }
  const content = Object.entries(isJson(response['content']) ? response['content'] : {})
  const [, found] =
    content.find(([type]) => type === 'application/json') ??
    content.find(([type]) => /[/+]json(;|$)/.test(type)) ??
    []
  if (!isJson(found)) return undefined
  return { schema: found['schema'], examples: bodyExamplesOf(document, found) }
}

/** The examples of a schema itself, then those of what it refers to and is made of, then the defaults in this order. */
export function saidOf(document: Json, schema: unknown): readonly unknown[] {
  const [examples, defaults]: [unknown[], unknown[]] = [[], []]
  const seen = new Set<unknown>()
  const isOld = !textOf(document['openapi'] ?? '').startsWith('3.1')
  const walk = (part: unknown): void => {
    if (!isJson(part) || seen.has(part)) return
    seen.add(part)
    const isReference = typeof part['$ref'] === 'string'
    // Before OpenAPI 3.1 what stands beside a reference says nothing.
    if (!isReference || !isOld) {
      if ('const' in part) examples.push(part['const'])
      if ('example' in part) examples.push(part['example'])
      if (Array.isArray(part['examples'])) examples.push(...(part['examples'] as unknown[]))
      if ('default' in part) defaults.push(part['default'])
    }
    if (isReference) walk(follow(document, part))
    if (Array.isArray(part['allOf'])) part['allOf'].forEach(walk)
  }
  walk(schema)
  return [...examples, ...defaults]
}

/** Goes through an answer with its schema, and compares what the description says of each part of it. */
export function compareParts(document: Json, { schema, value, fits, decided }: Compared): readonly Spoken[] {
  const found: Spoken[] = []
  const walk = (
    parts: readonly unknown[],
    at: unknown,
    path: readonly string[],
    isRepeated: boolean,
  ): void => {
    if (path.length > MAX_DEPTH) return
    // Of what several members of `allOf` say of one property, an answer can have one, which suits all of them.
    const said = parts
      .flatMap((part) => saidOf(document, part))
      .filter((each) => parts.every((part) => fits(part, each)))
    if (said.length > 0 && path.length > 0) {
      const isShown = said.some((each) => isDeepStrictEqual(each, at))
      const isOther = said.some((each) => differsAsDecided(each, at, path, decided))
      found.push({
        path: path.join('/'),
        isShown,
        isDecided: !isShown && (isRepeated || isOther),
        said: said[0],
        shown: at,
      })
      return
    }
    const members = parts.flatMap((part) => membersOf(document, part, at, fits))
    if (Array.isArray(at)) {
      const items = members.filter((each) => isJson(each['items']))
      const isUnique = items.some((each) => each['uniqueItems'] === true)
      for (const [index, item] of at.entries())
        walk(
          items.map((each) => each['items']),
          item,
          [...path, '[]'],
          isUnique && index > 0,
        )
    }
    if (!isJson(at)) return
    for (const [name, entry] of Object.entries(at)) {
      const named = members.flatMap(({ properties }) =>
        isJson(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
      )
      const rest = named.length > 0 ? [] : members.map((each) => each['additionalProperties']).filter(isJson)
      if (named.length > 0) walk(named, entry, [...path, name], false)
      else if (rest.length > 0) walk(rest, entry, [...path, '*'], false)
    }
  }
  walk([schema], value, [], false)
  return found
}

/**
 * Whether a value is what is said of it but for what is decided otherwise, as the id of an item is that its example
 * shows. An item has its id, and what it lies below, even where its example leaves them out; nothing else may be more or
 * less.
 */
function differsAsDecided(said: unknown, shown: unknown, path: readonly string[], decided: Decided): boolean {
  if (isDeepStrictEqual(said, shown)) return true
  if (Array.isArray(said) && Array.isArray(shown))
    return (
      said.length === shown.length &&
      said.every((each, index) => differsAsDecided(each, shown[index], [...path, '[]'], decided))
    )
  if (!isJson(said) || !isJson(shown)) return decided(path, said, shown)
  return [...new Set([...Object.keys(said), ...Object.keys(shown)])].every((name) => {
    const at = [...path, name]
    if (!Object.hasOwn(shown, name)) return false
    return Object.hasOwn(said, name)
      ? differsAsDecided(said[name], shown[name], at, decided)
      : !isJson(shown[name]) &&
          !NOT_AN_ID.some((each) => each.test(name)) &&
          decided(at, undefined, shown[name])
  })
}

/** Whether something else than the description decides what is at a path of names. */
export type Decided = (path: readonly string[], said: unknown, shown: unknown) => boolean

/** An answer's body, and what it is compared by. */
export interface Compared {
  readonly schema: unknown
  readonly value: unknown
  readonly fits: Fits
  readonly decided: Decided
}

const MAX_DEPTH = 12

// The schemas without references that speak of a value: of a choice the first that it fits.
function membersOf(document: Json, schema: unknown, value: unknown, fits: Fits): readonly Json[] {
  const members: Json[] = []
  const seen = new Set<unknown>()
  const walk = (part: unknown): void => {
    if (!isJson(part) || seen.has(part)) return
    seen.add(part)
    if (typeof part['$ref'] === 'string') walk(follow(document, part))
    else members.push(part)
    if (Array.isArray(part['allOf'])) part['allOf'].forEach(walk)
    for (const keyword of ['oneOf', 'anyOf']) {
      const choice = part[keyword]
      if (Array.isArray(choice)) walk(choice.find((each) => fits(each, value)))
    }
  }
  walk(schema)
  return members
}

const ID =
  /(^|[_.\-\s])(id|ids|uuid|guid|key|slug|sha|name|login|number|code|by)$|(Id|ID|Ids|IDs|Uuid|Guid|Key|By|Ref)$/
const ADDRESS = /(url|uri|href|link|links|self)$/i
const PAGE =
  /^(_?(total|count|size|limit|offset|page|pages|next|prev|previous|first|last|cursor|has_?more)|.*(total|count|cursor|token|page|limit|offset).*)$/i
const FORMS = [/^\d+$/, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i]
const TIME = /(_at|At|date|time|timestamp|created|updated|modified)$/i
const NOT_AN_ID = [ADDRESS, PAGE, TIME]

/**
 * Makes what says which parts of an answer are decided by the request, by what it is about, or by the page: ids and
 * addresses of resources, times that follow one another, counts, and what a parameter of the request says. A field with
 * the plain name of a resource, as `billing_group`, has its id where the description shows one there.
 * @param nouns what the description calls its resources, as `billinggroup`
 */
export function createDecided(
  parameters: ReadonlySet<string>,
  isOfResource: boolean,
  nouns: ReadonlySet<string>,
): Decided {
  return (path, said, shown) => {
    const name = path.findLast((each) => each !== '[]' && each !== '*') ?? ''
    if (parameters.has(plain(name))) return true
    if (!isOfResource) return false
    const isNoun = nouns.has(plain(name))
    if (isNoun && FORMS.some((form) => [said, shown].every((each) => form.test(scalarText(each)))))
      return true
    return ID.test(name) || ADDRESS.test(name) || TIME.test(name) || (path.length <= 3 && PAGE.test(name))
  }
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A name as it is compared: `petId`, `pet_id` and `pet-id` are one. */
export function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase()
}
