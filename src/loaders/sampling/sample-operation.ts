import { compileGenerator } from '../../engine/schema/compile.ts'
import type { Generate } from '../../engine/schema/generate.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Content, MediaType, Operation, Parameter } from '../../engine/operation.ts'
import { contentStream, type Seed, type Stream } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { credentialsOf } from './sample-credentials.ts'
import type { Draft, SampleRequest } from './sample-request.ts'
import { multipart, pairsOf, textOf } from './sample-texts.ts'

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
