import type { Content, MediaType, Operation, Parameter } from '../../engine/operation.ts'
import { contentStream, type Seed, type Stream } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import type { Generate } from '../../engine/schema/generate.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Draft, SampleRequest } from './sample-request.ts'
import { multipart, pairsOf, textOf } from './sample-parameters.ts'

/** Makes requests to a route of an API description: other values for each attempt. */
export function createOperationDrafts(
  route: RouteDefinition,
  operation: Operation,
  seed: Seed,
): (attempt: number) => Draft {
  const stream = contentStream(seed, `sample ${route.key}`)
  const generators = new Map<Schema, Generate>()
  const generate = (model: Schema, draws: Stream): unknown => {
    const make = generators.get(model) ?? compileGenerator(model)
    generators.set(model, make)
    return make(draws, { route: route.key, input: {}, headers: {}, depth: 0 })
  }
  return (attempt) => {
    const draws = stream.child(attempt)
    const valueOf = (parameter: Parameter): unknown =>
      generate(parameter.model, draws.childOf(`${parameter.in} ${parameter.name}`))
    const inPath = operation.parameters.filter((each) => each.in === 'path')
    return {
      parameters: Object.fromEntries(inPath.map((each) => [each.name, textOf(each, valueOf(each))])),
      request: (parameters) =>
        requestOf(route, operation, parameters, valueOf, (model) => generate(model, draws.childOf('body'))),
    }
  }
}

function requestOf(
  route: RouteDefinition,
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
  valueOf: (parameter: Parameter) => unknown,
  make: (model: Schema) => unknown,
): SampleRequest {
  const needed = operation.parameters.filter(({ required }) => required)
  const inPlace = (place: Parameter['in']): Parameter[] => needed.filter((each) => each.in === place)
  const credentials = credentialsOf(route, operation)
  const query = [...inPlace('query').flatMap((each) => pairsOf(each, valueOf(each))), ...credentials.query]
  const cookies = [
    ...inPlace('cookie').flatMap((each) => pairsOf(each, valueOf(each))),
    ...credentials.cookies,
  ]
  const headers = inPlace('header').map((each) => [
    each.name.toLowerCase(),
    headerText(textOf(each, valueOf(each))),
  ])
  const body = operation.body?.required === true ? bodyOf(operation.body.content, make) : undefined
  const path = route.path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => parameters[name] ?? '')
  return {
    method: route.method,
    url: query.length === 0 ? path : `${path}?${query.map((pair) => pair.join('=')).join('&')}`,
    headers: {
      ...(Object.fromEntries(headers) as Record<string, string>),
      ...credentials.headers,
      ...(cookies.length > 0 && { cookie: cookies.map((pair) => pair.join('=')).join('; ') }),
      ...(body !== undefined && { 'content-type': body.type }),
    },
    ...(body !== undefined && { payload: body.payload }),
  }
}

function headerText(text: string): string {
  return decodeURIComponent(text).replace(/[^\t\x20-\x7e]+/g, '')
}

interface Body {
  readonly type: string
  readonly payload: string
}

function bodyOf(content: Content, make: (model: Schema) => unknown): Body {
  const types = [...content]
  const [range = 'application/json', media] =
    types.find(([type]) => mediaKindOf(type) === 'json') ?? types[0] ?? []
  const type = range.includes('*') ? 'application/json' : range
  return { type, ...writtenBody(type, media, make) }
}

function writtenBody(
  type: string,
  media: MediaType | undefined,
  make: (model: Schema) => unknown,
): Partial<Body> & { payload: string } {
  const value = media?.model === undefined ? {} : make(media.model)
  if (mediaKindOf(type) === 'json') return { payload: JSON.stringify(value) }
  if (type === 'multipart/form-data') return multipart(isObject(value) ? value : {})
  if (mediaKindOf(type) === 'form') {
    const fields = Object.entries(isObject(value) ? value : {})
    const pairs = fields.flatMap(([name, each]) =>
      pairsOf({ name, style: 'form', explode: true, ...media?.encoding?.[name] }, each),
    )
    return { payload: pairs.map((pair) => pair.join('=')).join('&') }
  }
  return { payload: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** What a sampled request shows to be let in. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly [string, string][]
  readonly cookies: readonly [string, string][]
}

const SAMPLE = 'sample'
const BASIC = `Basic ${Buffer.from(`${SAMPLE}:${SAMPLE}`).toString('base64')}`

/** The credentials that an alternative of an operation asks for, and the route's own token. */
export function credentialsOf({ options }: RouteDefinition, { security }: Operation): Credentials {
  const [token] = options.bearerTokens ?? []
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const query: [string, string][] = []
  const cookies: [string, string][] = []
  // Listed tokens are needed in any case, so that of several alternatives the one with a token is the best.
  const withToken = security.find((all) => all.some(({ kind }) => kind === 'bearer'))
  for (const scheme of (token === undefined ? undefined : withToken) ?? security[0] ?? []) {
    if (scheme.kind !== 'apiKey')
      headers['authorization'] ??= scheme.kind === 'basic' ? BASIC : `Bearer ${SAMPLE}`
    else if (scheme.in === 'header') headers[scheme.field.toLowerCase()] = SAMPLE
    else (scheme.in === 'query' ? query : cookies).push([encodeURIComponent(scheme.field), SAMPLE])
  }
  return { headers, query, cookies }
}
