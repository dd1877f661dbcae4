import { STATUS_CODES } from 'node:http'
import { contentStream } from '../engine/random.ts'
import type { SavedAnswer } from '../engine/saved-answer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { groupBy } from '../grouping.ts'
import { essenceOf } from '../media-type.ts'
import { schemaOfValues } from '../shape/observed-schema.ts'
import {
  readBody,
  readUrl,
  headersIn,
  type Collection,
  type CollectionRequest,
  type Segment,
} from './collection.ts'
import { notesOf } from './notes.ts'
import { securityOf, type Schemes } from './security.ts'
import { filled, resolved } from './variables.ts'

/** A collection as a description, with what is saved for each of its operations. */
export interface ConvertedCollection {
  readonly document: object
  /** By method and path, `GET /users/{id}`. */
  readonly saved: ReadonlyMap<string, readonly SavedAnswer[]>
  /** What is in it and not simulated as it stands there, each with its kind. */
  readonly notes: readonly string[]
}

/** The requests of one method and path. */
interface Group {
  readonly method: string
  readonly path: string
  readonly requests: CollectionRequest[]
  readonly answers: SavedAnswer[]
  /** Gives its answers names of their own. */
  readonly nameOf: (name: string) => string
}

/** The description that says what a collection does. */
export function toOpenApi(collection: Collection): ConvertedCollection {
  const groups = new Map<string, Group>()
  for (const request of collection.requests) {
    const segments = uniquely(request.path)
    const shape = `${request.method} ${segments.map((each) => ('text' in each ? each.text : '{}')).join('/')}`
    const path = `/${segments.map((each) => ('text' in each ? each.text.replace(/[{}?#]/g, '') : `{${each.parameter}}`)).join('/')}`
    const group = groups.get(shape) ?? {
      ...{ method: request.method, path, requests: [], answers: [] },
      nameOf: createNames((name, number) => `${name} ${number}`),
    }
    groups.set(shape, group)
    group.requests.push(request)
    for (const answer of answersOf(request, group, collection)) group.answers.push(answer)
  }
  const schemes: Schemes = { components: {}, unknown: new Set() }
  const paths: Record<string, Record<string, unknown>> = {}
  const notes: string[] = []
  const unanswered: string[] = []
  const near = groupBy(groups.values(), ({ path }) => collectionPath(path))
  for (const group of groups.values()) {
    const { method, path, requests, answers } = group
    const item = (paths[path] ??= {})
    if (answers.length === 0) unanswered.push(`${method} ${path}`)
    if (requests.some(({ hasScripts }) => hasScripts)) notes.push(`script: ${method} ${path}`)
    const operation = operationOf(group, near.get(collectionPath(path)) ?? [], schemes)
    const key = method.toLowerCase()
    if (METHODS.has(key)) item[key] = operation
    else Object.assign((item['additionalOperations'] ??= {}), { [method]: operation })
  }
  const info = {
    title: collection.name,
    version: '1.0.0',
    ...(collection.description !== undefined && { description: collection.description }),
  }
  return {
    document: {
      ...{ openapi: '3.1.0', info, paths },
      ...(Object.keys(schemes.components).length > 0 && {
        components: { securitySchemes: schemes.components },
      }),
    },
    saved: new Map([...groups.values()].map(({ method, path, answers }) => [`${method} ${path}`, answers])),
    notes: notesOf(unanswered, notes, schemes.unknown),
  }
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

function uniquely(path: readonly Segment[]): Segment[] {
  const nameOf = createNames((name, number) => `${name}${number}`)
  return path.map((each) => ('text' in each ? each : { ...each, parameter: nameOf(each.parameter) }))
}

/** Gives each name that comes another one than all before, by the first number that makes it so. */
function createNames(numbered: (name: string, number: number) => string): (name: string) => string {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return (name) => {
    let free = name
    let number = next.get(name) ?? 2
    while (taken.has(free)) free = numbered(name, number++)
    next.set(name, number)
    taken.add(free)
    return free
  }
}

const LEFT_OUT =
  /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date|trailer|upgrade)$/i
const PREVIEW: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  text: 'text/plain',
}

function answersOf(
  request: CollectionRequest,
  { path, nameOf }: Group,
  { variables }: Collection,
): SavedAnswer[] {
  const names = path.split('/').slice(1)
  const made: SavedAnswer[] = []
  for (const response of request.responses) {
    const original = isObject(response['originalRequest']) ? response['originalRequest'] : undefined
    const own =
      original === undefined
        ? request
        : {
            ...readUrl(original['url'], variables),
            headers: headersIn(original['header']),
            body: readBody(original['body'], original['header'], variables),
          }
    const body = resolved(typeof response['body'] === 'string' ? response['body'] : '', variables)
    const headers = headersIn(response['header'])
      .filter(([name]) => !LEFT_OUT.test(name))
      .map(([name, value]) => [name, resolved(value, variables)] as const)
    const preview = PREVIEW[String(response['_postman_previewlanguage'])]
    const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
    const type =
      isTyped || body === '' ? undefined : (preview ?? (isJson(body) ? 'application/json' : 'text/plain'))
    const given =
      typeof response['name'] === 'string' && response['name'] !== '' ? response['name'] : request.name
    made.push({
      name: nameOf(given),
      id: typeof response['id'] === 'string' ? response['id'] : undefined,
      status: statusOf(response),
      headers: type === undefined ? headers : [...headers, ['content-type', type]],
      body,
      request: {
        params: Object.fromEntries(
          names.flatMap((name, at): [string, string][] => {
            const segment = own.path[at]
            const value = segment && ('text' in segment ? segment.text : segment.value)
            return name.startsWith('{') && value !== undefined && own.path.length === names.length
              ? [[name.slice(1, -1), value]]
              : []
          }),
        ),
        query: own.query,
        headers: own.headers.map(
          ([name, value]) => [name.toLowerCase(), resolved(value, variables)] as const,
        ),
        ...(own.body !== undefined && { body: own.body.value }),
      },
    })
  }
  return made
}

function statusOf(response: Readonly<Record<string, unknown>>): number {
  const code = Number(response['code'] ?? /\d{3}/.exec(String(response['status']))?.[0])
  return Number.isInteger(code) && code >= 200 && code <= 599 ? code : 200
}

function operationOf(group: Group, near: readonly Group[], schemes: Schemes): object {
  const { path, requests, answers } = group
  const [first] = requests as [CollectionRequest]
  const query = new Map(requests.flatMap((each) => [...each.query]))
  const pathNames = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const bodies = requests.flatMap(({ body }) => body ?? [])
  const security = securityOf(first.auth, schemes)
  return {
    summary: first.name,
    ...(first.description !== undefined && { description: first.description }),
    ...(first.folders.length > 0 && { tags: [first.folders.join(' / ')] }),
    parameters: [
      ...pathNames.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...[...query]
        .filter(([name]) => name !== '')
        .map(([name, example]) => ({ name, in: 'query', schema: { type: 'string' }, example })),
    ],
    ...((bodies.length > 0 || answers.some((each) => each.request.body !== undefined)) && {
      requestBody: {
        content: {
          ...Object.fromEntries(bodies.map(({ type, value }) => [essenceOf(type), { example: value }])),
          '*/*': {},
        },
      },
    }),
    responses: answers.length > 0 ? responsesOf(answers) : guessed(group, near),
    ...(security !== undefined && { security }),
  }
}

function responsesOf(answers: readonly SavedAnswer[]): Record<string, object> {
  const responses: Record<string, object> = {}
  for (const [status, all] of groupBy(answers, (each) => each.status)) {
    const own = all.filter(({ body }) => body !== '')
    const content: Record<string, object> = {}
    for (const [type, alike] of groupBy(own, typeOf)) {
      const named = alike.map((each) => [each.name, valueOf(each)] as const)
      content[type] = {
        schema: /json/.test(type) ? schemaOfValues(named.map(([, value]) => value)) : { type: 'string' },
        examples: Object.fromEntries(named.map(([name, value]) => [name, { value }])),
      }
    }
    responses[status] = { description: STATUS_CODES[status] ?? 'Saved', ...(own.length > 0 && { content }) }
  }
  return responses
}

function typeOf({ headers }: SavedAnswer): string {
  return essenceOf(headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/json')
}

function valueOf(answer: SavedAnswer): unknown {
  const stream = contentStream(0, answer.name)
  const text = filled(answer.body, () => stream.next(), 0)
  return /json/.test(typeOf(answer)) && isJson(text) ? (JSON.parse(text) as unknown) : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// Items have the path of their collection and a parameter.
function collectionPath(path: string): string {
  return path.replace(/\/\{[^{}]+\}$/, '')
}

// Where nothing is saved, an item looks like what is sent to make one, or like what was saved of its neighbours.
function guessed({ method, path, requests }: Group, near: readonly Group[]): Record<string, object> {
  if (method === 'DELETE') return { 204: { description: 'No Content' } }
  const sent = [...requests, ...near.flatMap((each) => each.requests)].flatMap(({ body }) =>
    isObject(body?.value) ? [body.value] : [],
  )
  const saved = near
    .flatMap((each) => each.answers.filter(({ status }) => status < 300).map(valueOf))
    .flat()
    .filter(isObject)
  const base = schemaOfValues(saved.length > 0 ? saved : sent)
  const properties = isObject(base['properties']) ? base['properties'] : {}
  const item = {
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1 }, ...properties },
    required: ['id', ...Object.keys(properties)],
  }
  const isList =
    method === 'GET' &&
    !path.endsWith('}') &&
    near.some((each) => each.path !== path || each.method === 'POST')
  const schema = isList ? { type: 'array', items: item } : item
  return {
    [method === 'POST' ? 201 : 200]: {
      description: 'Not saved',
      content: { 'application/json': { schema } },
    },
  }
}
