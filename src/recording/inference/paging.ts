import { factNamed, type PageField, pageFieldsOf } from '../../collections/paging/page-fields.ts'
import { type PageParameters, pageParametersOf } from '../../collections/paging/page-parameters.ts'
import { listShapeOf } from '../../engine/list-shape.ts'
import { canonicalText } from '../../engine/random.ts'
import { createFold } from '../../engine/schema/merge.ts'
import { createResolver, isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { at, createWalk, type Walk } from './page-walk.ts'
import type { Sample } from './sample.ts'
import { groupBy } from './values.ts'

/** A list that is answered in pages. */
export interface Paging {
  readonly parameters: PageParameters
  /** The field of the answer that holds the list; `undefined` where the answer is the list. */
  readonly field: string | undefined
  readonly fields: readonly PageField[]
  /** Templates of headers that describe pages. */
  readonly headers: Readonly<Record<string, string>>
  /** What requests without other parameters saw of each list, by its concrete path. */
  readonly lists: ReadonlyMap<string, Walk>
  /** Whether requests with other parameters saw another list. */
  readonly varies: boolean
  readonly exchanges: number
}

/**
 * How a route answers in pages, from the names of its query parameters and fields, which are the engine's own, and from
 * whether the recorded pages are parts of one list; `undefined` where they are not.
 * @param input the model of the route's input
 * @param output the model of the whole answer
 */
export function findPaging(
  samples: readonly Sample[],
  input: Schema | undefined,
  output: Schema,
): Paging | undefined {
  const found = pageParametersOf({ parameters: parametersOf(input, samples) })
  if (found === undefined || found.style === 'limit') return undefined
  const shape = listShapeOf(output, '')
  if (shape === undefined) return undefined
  const fold = createFold(createResolver(output))
  const envelope = fold(output)
  const fields =
    shape.field === undefined || typeof envelope === 'boolean' ? [] : pageFieldsOf(envelope, fold)
  const pages = samples.filter(({ response }) => Array.isArray(listIn(response, shape.field)))
  const facts = (sample: Sample, fact: PageField['fact']): unknown => {
    const stated = fields.find((each) => each.fact === fact)
    if (stated !== undefined) return at(sample.response, stated.path)
    return fact === 'total' ? totalIn(sample) : undefined
  }
  const parameters = {
    ...found,
    firstPage: firstPageOf(pages, found, facts),
    usualSize: usualSizeOf(pages, found, shape.field, facts),
  }
  const headers = headersOf(pages)
  const isStated = 'link' in headers || fields.some(({ fact }) => fact === 'next' || fact === 'hasNext')
  if ((found.style === 'cursor' || found.style === 'after') && !isStated) return undefined

  const own = new Set([found.at, found.size])
  const othersOf = ({ query }: Sample): string =>
    canonicalText(Object.fromEntries(Object.entries(query).filter(([name]) => !own.has(name))))
  const groups = groupBy(pages, (sample) => `${pathOf(sample)}?${othersOf(sample)}`)
  const walks = [...groups.values()].map((group) => ({
    path: pathOf(group[0]),
    others: group[0] === undefined ? '' : othersOf(group[0]),
    walk: createWalk(group, parameters, (sample) => listIn(sample.response, shape.field) ?? [], facts),
  }))
  const seen = walks.reduce((sum, { walk }) => sum + walk.agreed + walk.broken, 0)
  const broken = walks.reduce((sum, { walk }) => sum + walk.broken, 0)
  const isMoved = walks.some(({ walk }) => walk.positions > 1)
  if (!isMoved || broken * 5 > seen) return undefined
  return {
    parameters,
    field: shape.field,
    fields,
    headers,
    lists: new Map(walks.filter(({ others }) => others === '{}').map(({ path, walk }) => [path, walk])),
    varies: walks.some(({ others }) => others !== '{}'),
    exchanges: pages.length,
  }
}

/** The list of an answer. */
function listIn(response: unknown, field: string | undefined): readonly unknown[] | undefined {
  const list = field === undefined ? response : isObject(response) ? response[field] : undefined
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined
}

/** The query parameters as the engine's pages read them: those that hold tokens are texts, whatever they look like. */
function parametersOf(
  input: Schema | undefined,
  samples: readonly Sample[],
): { name: string; in: 'query'; model: Schema }[] {
  const requested = new Set(samples.flatMap(({ query }) => Object.keys(query)))
  const properties = (input?.['properties'] ?? {}) as Readonly<Record<string, SchemaOrBoolean>>
  return Object.entries(properties).flatMap(([name, model]) => {
    const isToken = /cursor|token|marker|contin|after/i.test(name)
    if (!requested.has(name) || !isObject(model)) return []
    return [{ name, in: 'query' as const, model: isToken ? { type: 'string' } : model }]
  })
}

type Facts = (sample: Sample, fact: PageField['fact']) => unknown

// Pages are counted from 0 where one was requested by that number, or an answer to no number says it has that.
function firstPageOf(pages: readonly Sample[], { style, at: name }: PageParameters, facts: Facts): number {
  if (style !== 'page' || name === undefined) return 1
  const isZero = pages.some((sample) => {
    const number = sample.query[name]
    return number === undefined ? facts(sample, 'page') === 0 : number === '0'
  })
  return isZero ? 0 : 1
}

// What an answer says its size is, else the longest page of those that did not ask for one.
function usualSizeOf(
  pages: readonly Sample[],
  { size, usualSize }: PageParameters,
  field: string | undefined,
  facts: Facts,
): number {
  const unasked = pages.filter(({ query }) => size === undefined || query[size] === undefined)
  const stated = unasked.map((sample) => facts(sample, 'size')).find((value) => typeof value === 'number')
  if (typeof stated === 'number' && stated > 0) return stated
  const longest = Math.max(0, ...unasked.map(({ response }) => listIn(response, field)?.length ?? 0))
  return longest > 0 ? longest : usualSize
}

// Headers that came more often than not, by what their names say of pages.
function headersOf(pages: readonly Sample[]): Record<string, string> {
  const counts = new Map<string, number>()
  for (const { responseHeaders } of pages) {
    for (const name of Object.keys(responseHeaders)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const templates = [...counts].flatMap(([name, count]): [string, string][] => {
    if (name === 'link') return [[name, '{links}']]
    const fact =
      /^x-|total/.test(name) && count * 2 > pages.length ? factNamed(name.replace(/^x-/, '')) : undefined
    return fact === undefined
      ? []
      : [[name, `{${fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`]]
  })
  return Object.fromEntries(templates)
}

function pathOf(sample: Sample | undefined): string {
  return `/${(sample?.segments ?? []).map(encodeURIComponent).join('/')}`
}

function totalIn(sample: Sample): number | undefined {
  const [, text] =
    Object.entries(sample.responseHeaders).find(
      ([name]) => name !== 'link' && factNamed(name.replace(/^x-/, '')) === 'total',
    ) ?? []
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

const NEIGHBOURS = new Set(['next', 'previous', 'first', 'last'])

/** The model of a paged answer. What speaks of pages is not bounded by the pages that were seen. */
export function pagedModel(model: Schema, { fields, field, parameters }: Paging): Schema {
  // Requests that cannot say how long a page is get pages of one length.
  const most = parameters.size === undefined ? { maxItems: parameters.usualSize } : {}
  const list = (part: Schema): Schema => {
    const { minItems: _minItems, ...rest } = part
    return { ...rest, ...most }
  }
  const sized = change(model, field === undefined ? [] : [field], list)
  return fields.reduce(
    (whole, { path, fact }) => change(whole, path, (part) => open(part, NEIGHBOURS.has(fact))),
    sized,
  )
}

/** The model of a paged route's input: what a request that does not say gets. */
export function pagedInput(input: Schema | undefined, { parameters }: Paging): Schema | undefined {
  const { at, size, style, firstPage, usualSize } = parameters
  const properties = input?.['properties']
  if (!isObject(properties)) return input
  const changed = Object.entries(properties).map(([name, model]): [string, unknown] => {
    if (name === size) return [name, { type: 'integer', minimum: 0, default: usualSize }]
    if (name !== at) return [name, model]
    if (style === 'cursor' || style === 'after') return [name, { type: 'string' }]
    const first = style === 'page' ? firstPage : 0
    return [name, { type: 'integer', minimum: first, default: first }]
  })
  const own = new Set([at, size])
  const { required, ...rest } = input ?? {}
  const needed = Array.isArray(required) ? required.filter((name) => !own.has(name as string)) : []
  return {
    ...rest,
    properties: Object.fromEntries(changed),
    ...(needed.length > 0 && { required: needed as string[] }),
  }
}

function open(part: Schema, isNeighbour: boolean): Schema {
  const { enum: _enum, maximum: _maximum, minLength: _minLength, ...rest } = part
  if (!isNeighbour) return { ...rest, ...(rest['minimum'] !== undefined && { minimum: 0 }) }
  const types = [rest['type']].flat()
  const format = rest['format'] === 'uri' ? { format: 'uri' } : {}
  if (rest['anyOf'] !== undefined || types.includes('null')) return { ...rest }
  return { type: [...(types as string[]), 'null'], ...format }
}

function change(schema: Schema, [name, ...below]: readonly string[], make: (part: Schema) => Schema): Schema {
  if (name === undefined) return make(schema)
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, SchemaOrBoolean>>
  const part = properties[name]
  return isObject(part)
    ? { ...schema, properties: { ...properties, [name]: change(part, below, make) } }
    : schema
}
