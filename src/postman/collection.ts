import { parseLoosely } from '../data-files/json.ts'
import { isObject } from '../engine/schema/schema.ts'
import { resolved, variablesIn, type Variables } from './variables.ts'

type Data = Readonly<Record<string, unknown>>

/** A request of a collection, with what its folders say of it. */
export interface CollectionRequest {
  readonly name: string
  readonly description: string | undefined
  readonly folders: readonly string[]
  readonly method: string
  /** The segments of the path: texts, and the names of parameters. */
  readonly path: readonly Segment[]
  readonly query: readonly (readonly [string, string])[]
  readonly headers: readonly (readonly [string, string])[]
  readonly body: RequestBody | undefined
  readonly auth: Data | undefined
  readonly responses: readonly Data[]
  readonly hasScripts: boolean
}

export type Segment =
  { readonly text: string } | { readonly parameter: string; readonly value: string | undefined }

/** The body of a request. */
export interface RequestBody {
  readonly type: string
  readonly value: unknown
}

/** A collection, read. */
export interface Collection {
  readonly name: string
  readonly description: string | undefined
  readonly version: '2.0' | '2.1'
  readonly variables: Variables
  readonly requests: readonly CollectionRequest[]
}

/** Reads a collection. @param others variables of environments, which win over the collection's own */
export function readCollection(
  document: Data,
  others: readonly (readonly [string, string])[] = [],
): Collection {
  const info = isObject(document['info']) ? document['info'] : {}
  const variables = new Map([...variablesIn(document['variable'] ?? []), ...others])
  const requests: CollectionRequest[] = []
  const walk = (items: unknown, folders: readonly string[], auth: unknown): void => {
    for (const item of Array.isArray(items) ? (items as unknown[]) : []) {
      if (!isObject(item)) continue
      const own = item['auth'] ?? auth
      const name = typeof item['name'] === 'string' ? item['name'] : ''
      if (Array.isArray(item['item'])) walk(item['item'], [...folders, name], own)
      else if (item['request'] !== undefined) requests.push(readRequest(item, name, folders, own, variables))
    }
  }
  walk(document['item'], [], document['auth'])
  const schema = JSON.stringify(info)
  return {
    name: typeof info['name'] === 'string' ? info['name'] : 'Collection',
    description: textOf(info['description']),
    version: /v?2\.0(\.\d+)?\b/.test(schema.replace(/"name":"[^"]*"/, '')) ? '2.0' : '2.1',
    ...{ variables, requests },
  }
}

function readRequest(
  item: Data,
  name: string,
  folders: readonly string[],
  auth: unknown,
  variables: Variables,
): CollectionRequest {
  const given = item['request']
  const request: Data = isObject(given) ? given : { url: given }
  const own = request['auth'] ?? auth
  const method =
    typeof request['method'] === 'string' && request['method'] !== ''
      ? request['method'].toUpperCase()
      : 'GET'
  return {
    ...{ name, folders, method },
    description: textOf(request['description'] ?? item['description']),
    ...readUrl(request['url'], variables),
    headers: headersIn(request['header']),
    body: readBody(request['body'], request['header'], variables),
    auth: isObject(own) ? own : undefined,
    responses: (Array.isArray(item['response']) ? (item['response'] as unknown[]) : []).filter(isObject),
    hasScripts: Array.isArray(item['event']) && item['event'].length > 0,
  }
}

/** A description is a text, or an object with one. */
function textOf(description: unknown): string | undefined {
  const text = isObject(description) ? description['content'] : description
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** The path and the query of a URL, which is a text or in parts. */
export function readUrl(
  url: unknown,
  variables: Variables,
): { readonly path: readonly Segment[]; readonly query: readonly (readonly [string, string])[] } {
  const parts: Data = isObject(url) ? url : { raw: url }
  const raw = typeof parts['raw'] === 'string' ? parts['raw'] : ''
  const values = new Map(variablesIn(parts['variable'] ?? []))
  const [before = '', search = ''] = raw.replace(/#.*$/s, '').split(/\?(.*)/s)
  const texts = Array.isArray(parts['path'])
    ? [
        ...baseOf(hostOf(parts['host']), variables),
        ...(parts['path'] as unknown[]).map((each) => (typeof each === 'string' ? each : nameIn(each))),
      ]
    : typeof parts['path'] === 'string'
      ? parts['path'].split('/')
      : afterHost(before, variables)
  const query = Array.isArray(parts['query'])
    ? variablesIn(parts['query'])
    : [...new URLSearchParams(resolved(search, variables))]
  return {
    path: texts.filter((text) => text !== '').map((text) => segmentOf(text, values, variables)),
    query: query.map(([name, value]) => [name, resolved(value, variables)] as const),
  }
}

function hostOf(host: unknown): string {
  return Array.isArray(host) ? host.join('.') : typeof host === 'string' ? host : ''
}

function nameIn(segment: unknown): string {
  const value = isObject(segment) ? segment['value'] : segment
  return typeof value === 'string' ? value : ''
}

// It may be left open, as in `//api.example.com/v1`.
const SCHEME = /^(?:[a-z][\w+.-]*:)?\/\//i

// `{{baseUrl}}` may end in a path.
function baseOf(host: string, variables: Variables): string[] {
  return resolved(host, variables).replace(SCHEME, '').split('/').slice(1)
}

function afterHost(text: string, variables: Variables): string[] {
  // A variable at the start stands for the server.
  const [first = '', ...rest] = text.replace(SCHEME, '').split('/')
  return [...baseOf(first, variables), ...rest]
}

function segmentOf(text: string, values: ReadonlyMap<string, string>, variables: Variables): Segment {
  const [, named] = /^:(.+)$/.exec(text) ?? /^\{([^{}]+)\}$/.exec(text) ?? []
  if (named !== undefined) {
    const value = values.get(named)
    return {
      parameter: plainName(named),
      value: value === undefined ? undefined : resolved(value, variables),
    }
  }
  const [, variable] = /^\{\{([^{}]+)\}\}$/.exec(text) ?? []
  if (variable !== undefined) return { parameter: plainName(variable), value: variables.get(variable) }
  const known = resolved(text, variables)
  return known.includes('{{') ? { parameter: plainName(known), value: undefined } : { text: known }
}

function plainName(text: string): string {
  return text.replace(/[^\w-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '') || 'value'
}

const RAW_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
}

/** The body of a request; `undefined` where it has none. */
export function readBody(body: unknown, headers: unknown, variables: Variables): RequestBody | undefined {
  if (!isObject(body) || body['disabled'] === true) return undefined
  const mode = String(body['mode'])
  const typed = headersIn(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (mode === 'urlencoded' || mode === 'formdata') {
    const fields = Object.fromEntries(
      variablesIn(body[mode] ?? []).map(([name, value]) => [name, resolved(value, variables)]),
    )
    return {
      type: mode === 'formdata' ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
      value: fields,
    }
  }
  if (mode === 'graphql') {
    const { query, variables: own } = isObject(body['graphql']) ? body['graphql'] : {}
    const given = typeof own === 'string' && own.trim() !== '' ? jsonOf(resolved(own, variables)) : own
    return { type: 'application/json', value: { query, ...(isObject(given) && { variables: given }) } }
  }
  if (mode !== 'raw' || typeof body['raw'] !== 'string' || body['raw'].trim() === '') return undefined
  const text = resolved(body['raw'], variables)
  const { raw } = isObject(body['options']) ? body['options'] : {}
  const language = isObject(raw) ? String(raw['language']) : ''
  const value = jsonOf(text)
  const type = typed ?? RAW_TYPES[language] ?? (value === undefined ? 'text/plain' : 'application/json')
  return { type, value: value === undefined || !/json/.test(type) ? text : value }
}

/** Headers, which are a list or, in older collections, a text. */
export function headersIn(headers: unknown): [string, string][] {
  if (typeof headers !== 'string') return variablesIn(headers ?? [])
  return headers.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [name = '', value] = line.split(/:\s*(.*)/s)
    return value === undefined ? [] : [[name.trim(), value]]
  })
}

// With comments and last commas, which are left out where a request is sent, and variables that have no value here.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const whole = text.replace(/\{\{(?<=[:[,]\s*\{\{)[^{}]+\}\}(?=\s*[,}\]])/g, (name) =>
      JSON.stringify(name),
    )
    return parseLoosely(whole)
  }
}
