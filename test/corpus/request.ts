import { compileGenerator } from '../../src/engine/schema/compile.ts'
import { writeXml } from '../../src/openapi/serve/xml.ts'
import { contentStream, type Stream } from '../../src/engine/random.ts'
import { isJson, textOf, type Json } from './json.ts'
import type { Body, Operation, Parameter } from './operations.ts'
import type { Schemas } from './schemas.ts'
import { write, type Target } from './serialize.ts'

/** A request as it goes over the wire. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
}

/** How much of what an operation takes is given: what it requires, or everything. */
export type Extent = 'required' | 'everything'

// Not parameters, whatever a description says (OpenAPI 3.1, Parameter Object), and how a message itself is written.
const RESERVED = new Set([
  ...['accept', 'content-type', 'authorization', 'content-length', 'host'],
  ...['content-encoding', 'transfer-encoding'],
])
// Where a page begins, in words that only an earlier answer gives out: others are refused.
const CURSOR =
  /^(after|before|continue|start_?(ing_?)?after|end(ing_?)?before)$|cursor|token$|marker$|^start_?key$/i
const MAX_ATTEMPTS = 200
// RFC 9110, section 5.6.2.
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** Requests of one document's operations, with input made from the document's own schemas; each is made once. */
export function createRequests(schemas: Schemas): (operation: Operation, extent: Extent) => Request {
  const made = new Map<string, Request>()
  return (operation, extent) => {
    const key = `${operation.name} ${extent}`
    const request = made.get(key) ?? createRequest(operation, extent, schemas, contentStream(1, key))
    made.set(key, request)
    return request
  }
}

function createRequest(operation: Operation, extent: Extent, schemas: Schemas, stream: Stream): Request {
  const target: Target = { path: operation.path, query: [], headers: {}, cookies: [] }
  for (const parameter of operation.parameters) {
    if (!isGiven(parameter, extent) && !operation.name.endsWith(`#${parameter.name}`)) continue
    const value = valueOf(parameter, schemas, stream)
    if (value !== undefined) write(target, parameter, value)
  }
  for (const scheme of operation.credentials) present(target, scheme)
  if (target.cookies.length > 0) target.headers['cookie'] = target.cookies.join('; ')
  const { body } = operation
  const isSent = body !== undefined && (body.required || extent === 'everything')
  const sent = isSent ? writeBody(body, schemas, stream) : undefined
  return {
    method: operation.method,
    path: target.query.length === 0 ? target.path : `${target.path}?${target.query.join('&')}`,
    headers: { ...target.headers, ...sent?.headers },
    body: sent?.body,
  }
}

function isGiven(parameter: Parameter, extent: Extent): boolean {
  if (parameter.in === 'header' && RESERVED.has(parameter.name.toLowerCase())) return false
  if (parameter.required || parameter.in === 'path') return true
  return extent === 'everything' && !CURSOR.test(parameter.name)
}

// A value that can stand in a request's head: nothing empty, nothing that a path or a header would swallow, and
// nothing in several levels, which no style has a form for.
function valueOf(parameter: Parameter, schemas: Schemas, stream: Stream): unknown {
  const model = schemas.selfContained(parameter.schema ?? { type: 'string' })
  const generate = compileGenerator(model)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const value = generate(stream.childOf(`${parameter.in} ${parameter.name} ${attempt}`), scope())
    if (isWritable(value, parameter)) return value
  }
  if (parameter.required) throw new Error(`No value of parameter ${parameter.name} can be written`)
  return undefined
}

function isWritable(value: unknown, parameter: Parameter): boolean {
  if (parameter.mediaType !== undefined) return true
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((item) => !isJson(item) && isWritable(item, parameter))
  }
  if (isJson(value)) {
    const parts = Object.entries(value)
    return parts.length > 0 && parts.every(([, part]) => !isJson(part) && isWritable(part, parameter))
  }
  if (value === null || value === undefined) return false
  const text = textOf(value)
  if (parameter.in === 'header') return /^[!-~]+( [!-~]+)*$/.test(text)
  return text !== '' && text !== '.' && text !== '..'
}

function present(target: Target, scheme: Json): void {
  const { type, in: place, name, scheme: kind } = scheme
  if (type === 'basic' || (type === 'http' && textOf(kind).toLowerCase() === 'basic')) {
    target.headers['authorization'] = `Basic ${btoa('user:secret')}`
  } else if (type !== 'apiKey') target.headers['authorization'] = 'Bearer secret'
  else if (place === 'query') target.query.push(`${encodeURIComponent(textOf(name))}=secret`)
  else if (place === 'cookie') target.cookies.push(`${textOf(name)}=secret`)
  else if (!TOKEN.test(textOf(name))) throw new Error('what it calls a header cannot be the name of one')
  // What another scheme has there is a key as well.
  else target.headers[textOf(name).toLowerCase()] ??= 'secret'
}

function writeBody(
  { content, encodings }: Body,
  schemas: Schemas,
  stream: Stream,
): Pick<Request, 'headers' | 'body'> {
  const types = [...content.keys()]
  const type = types.find((each) => /[/+]json/.test(each)) ?? types[0] ?? 'application/json'
  const schema = content.get(type)
  const model = schemas.selfContained(schema)
  const value = compileGenerator(model)(stream.childOf('body'), scope())
  if (/ndjson|jsonl|json-?lines|json-seq/.test(type)) {
    const lines = (Array.isArray(value) ? value : [value]).map((item) => `${JSON.stringify(item)}\n`)
    return { headers: { 'content-type': type }, body: lines.join('') }
  }
  if (/[/+]json/.test(type)) return { headers: { 'content-type': type }, body: JSON.stringify(value) }
  if (type === 'application/x-www-form-urlencoded' && typeof value !== 'string') {
    const pairs = Object.entries(isJson(value) ? value : {}).flatMap(([name, part]) =>
      formPairs(name, part, encodings.get(type)?.[name]),
    )
    return { headers: { 'content-type': type }, body: new URLSearchParams(pairs).toString() }
  }
  if (/[/+]xml$/.test(type)) return { headers: { 'content-type': type }, body: writeXml(value, model) }
  if (type !== 'multipart/form-data') return { headers: { 'content-type': type }, body: textOf(value) }
  const form = new FormData()
  for (const [name, part] of Object.entries(isJson(value) ? value : {})) {
    if (Array.isArray(part)) for (const item of part) form.append(name, textOf(item))
    else if (part !== null) form.append(name, textOf(part))
  }
  return { headers: {}, body: form }
}

// OpenAPI 3.0, Encoding Object: lists come item by item, objects as JSON unless they are `deepObject`s.
function formPairs(name: string, part: unknown, encoding: unknown): [string, string][] {
  if (part === null) return []
  const isDeep = isJson(encoding) && encoding['style'] === 'deepObject'
  if (isDeep) return deepPairs(name, part)
  if (Array.isArray(part) && part.every((item) => typeof item !== 'object'))
    return part.map((item) => [name, textOf(item)])
  return [[name, textOf(part)]]
}

function deepPairs(name: string, part: unknown): [string, string][] {
  if (Array.isArray(part)) return part.flatMap((item, index) => deepPairs(`${name}[${index}]`, item))
  if (isJson(part)) return Object.entries(part).flatMap(([key, value]) => deepPairs(`${name}[${key}]`, value))
  return [[name, textOf(part)]]
}

function scope(): Parameters<ReturnType<typeof compileGenerator>>[1] {
  return { route: 'corpus', input: {}, headers: {}, depth: 0 }
}
