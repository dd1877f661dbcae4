import { decodeSegment, matchLiterals, namesOf, segmentsOf } from '../../routing/path-template.ts'
import type { HttpRequest } from '../../message.ts'
import { cookiePairs, decodeBare, decodeForm, decodeNamed, formPairs, type Pair } from './parameter-style.ts'
import { looksLikeJson, parseJsonText } from '../../engine/json-text.ts'
import type { Parameter } from '../../engine/operation.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { otherPreferences } from './prefer.ts'
import type { Shape, TextTree } from './text-tree.ts'

/** What of a route its parameters are found by. */
export interface ParameterPlaces {
  /** The names of the query's parameters. */
  readonly query: readonly string[]
  /** The route's path template. */
  readonly template: string
}

/** Makes what takes the requests of a route apart for its parameters. */
export function createSources(places: ParameterPlaces): (call: HttpRequest, params: Params) => Sources {
  const readTexts = createQueryTexts(places.query)
  const readPath = createPathTexts(places.template)
  return (call, params) => new Sources(call, params, readTexts(call.search), readPath)
}

type Params = Readonly<Record<string, string>>

/** The places of one request that hold parameters; a place that few parameters need is taken apart for the first. */
export class Sources {
  readonly headers: HttpRequest['headers']
  /** The path's values as the router found them, percent-decoded. */
  readonly params: Params
  /** What the query gives each of its parameters, by the order of their names. */
  readonly texts: QueryTexts
  readonly #call: HttpRequest
  readonly #readPath: ReadPathTexts

  constructor(call: HttpRequest, params: Params, texts: QueryTexts, readPath: ReadPathTexts) {
    this.headers = call.headers
    this.params = params
    this.texts = texts
    this.#call = call
    this.#readPath = readPath
  }

  get query(): readonly Pair[] {
    return formPairs(this.#call.search)
  }

  get cookies(): readonly Pair[] {
    return cookiePairs(headerOf(this.headers, 'cookie') ?? '')
  }

  /** The path's values as they are written, not yet percent-decoded. */
  get path(): ReadonlyMap<string, string> {
    const texts = this.#readPath(this.#call.path)
    // Where the path is of another shape, below a prefix for instance, the router knows its values, decoded.
    for (const [name, value] of Object.entries(this.params))
      if (!texts.has(name)) texts.set(name, encodeURIComponent(value))
    return texts
  }
}

/** Finds a parameter as it is written in a request; `undefined` where it is not there. */
export type FindParameter = (sources: Sources) => TextTree | undefined

/**
 * Makes what finds a parameter that is written in one shape.
 * @param owns whether a name of the query or a cookie that stands alone is a field of an exploded object
 */
export function createFinder(
  parameter: Parameter,
  shape: Shape,
  { query, template }: ParameterPlaces,
  owns: (name: string) => boolean,
): FindParameter {
  const { name, style, explode } = parameter
  if (parameter.in === 'path') {
    const isSegment = segmentsOf(template).includes(`{${name}}`)
    if (isSegment && shape === 'text' && style === 'simple')
      return ({ params }) => (Object.hasOwn(params, name) ? params[name] : undefined)
    return ({ path }) => {
      const text = path.get(name)
      return text === undefined ? undefined : decodeBare(text, parameter, shape, { decode: decodeSegment })
    }
  }
  if (parameter.in === 'header') {
    const lower = name.toLowerCase()
    return ({ headers }) => {
      const sent = headerOf(headers, lower)
      const text = lower === 'prefer' && sent !== undefined ? otherPreferences(sent) : sent
      return text === undefined ? undefined : decodeBare(text, parameter, shape, { decode: trimmed })
    }
  }
  if (parameter.in === 'query') {
    const index = query.indexOf(name)
    if (shape === 'text') return ({ texts }) => texts[index]
    const decoding = { decode: decodeForm, owns }
    if (shape === 'object') return (sources) => decodeNamed(sources.query, parameter, shape, decoding)
    return (sources) => decodeNamed(withoutBrackets(sources.query, name), parameter, shape, decoding)
  }
  // The style table joins the parts of an exploded cookie with ampersands, clients with semicolons.
  const isSplit = explode && shape !== 'text'
  const decoding = { decode: decodeSegment, owns }
  return ({ cookies }) => {
    const pairs = isSplit ? cookies.flatMap(([each, raw]) => formPairs(`${each}=${raw}`)) : cookies
    return decodeNamed(pairs, parameter, shape, decoding)
  }
}

/** Makes what finds a list of the query whose commas are escaped as well. */
export function createBareCommaFinder(parameter: Parameter): FindParameter {
  return ({ query }) => {
    const pairs = query.map(([name, raw]): Pair => [name, raw.replace(/%2C/gi, ',')])
    return decodeNamed(withoutBrackets(pairs, parameter.name), parameter, 'list', { decode: decodeForm })
  }
}

/** Makes what finds an object of the query that is written as JSON; what only looks like it is left to the others. */
export function createJsonFinder({ name }: Parameter, { query }: ParameterPlaces): FindParameter {
  const index = query.indexOf(name)
  return ({ texts }) => {
    const text = texts[index]
    if (typeof text !== 'string' || !looksLikeJson(text)) return undefined
    try {
      const value = parseJsonText(text, ['query', name])
      return isObject(value) ? { value } : undefined
    } catch {
      return undefined
    }
  }
}

/** A request header as one text; lines of the same name are one list (RFC 9110, section 5.3). */
export function headerOf(headers: HttpRequest['headers'], name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined || typeof value === 'string'
    ? value
    : value.join(name === 'cookie' ? '; ' : ', ')
}

function trimmed(text: string): string {
  return text.trim()
}

function withoutBrackets(pairs: readonly Pair[], name: string): readonly Pair[] {
  return pairs.map((pair): Pair => (pair[0] === `${name}[]` ? [name, pair[1]] : pair))
}

function asWritten(text: string): string {
  return text
}

type QueryTexts = readonly (string | readonly string[] | undefined)[]

// What is written for each of some names, found in one pass; a name that came several times has a list.
function createQueryTexts(names: readonly string[]): (search: string) => QueryTexts {
  const indexes = new Map(names.map((name, index) => [name, index]))
  return (search) => {
    const texts: (string | string[] | undefined)[] = []
    if (indexes.size === 0) return texts
    const decode = search.includes('%') || search.includes('+') ? decodeForm : asWritten
    let end: number
    for (let start = 0; start < search.length; start = end + 1) {
      end = search.indexOf('&', start)
      if (end < 0) end = search.length
      const sign = search.indexOf('=', start)
      const mark = sign < 0 || sign > end ? end : sign
      const index = indexes.get(decode(search.slice(start, mark)))
      if (index === undefined || start === end) continue
      const text = decode(search.slice(mark + 1, end))
      const known = texts[index]
      if (known === undefined) texts[index] = text
      else if (typeof known === 'string') texts[index] = [known, text]
      else known.push(text)
    }
    return texts
  }
}

/** The values of a path's parameters as they are written, not yet percent-decoded. */
type ReadPathTexts = (path: string) => Map<string, string>

/** Makes the reader of a path template's values; a path of another shape has none. */
export function createPathTexts(template: string): ReadPathTexts {
  const segments = segmentsOf(template).map((segment) => {
    return { names: namesOf(segment), literals: segment.split(/\{[^{}]+\}/) }
  })
  return (path) => {
    const texts = new Map<string, string>()
    const written = segmentsOf(path)
    if (written.length !== segments.length) return texts
    for (const [index, { names, literals }] of segments.entries()) {
      const values: string[] = []
      if (names.length === 0 || !matchLiterals(literals, written[index] ?? '', values, 0)) continue
      for (const [at, name] of names.entries()) texts.set(name, values[at] ?? '')
    }
    return texts
  }
}
