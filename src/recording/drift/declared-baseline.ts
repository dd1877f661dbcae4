import type { Content, Operation, Parameter, ResponseHeader, ResponseRule } from '../../engine/operation.ts'
import { fileStatuses } from '../../collections/files/file-answers.ts'
import { itemModelOf, outputKind } from '../../engine/output.ts'
import { hostOf, type RouteDefinition } from '../../engine/route.ts'
import { createTextReader } from '../../engine/schema/coerce.ts'
import { requiredOf } from '../../engine/schema/keywords.ts'
import { flatten } from '../../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
  typesOf,
} from '../../engine/schema/schema.ts'
import { createBodyContent, parseText } from '../../http/body-content.ts'
import { contentKindOf, essenceOf } from '../../media-type.ts'
import { createRouter } from '../../routing/router.ts'
import { entryOf } from '../../grouping.ts'
import { pathOf } from '../inference/sample.ts'
import {
  ANY_ANSWER,
  type Baseline,
  compareWith,
  type ExpectedAnswer,
  type ExpectedInput,
  type ExpectedRoute,
  type RouteQuery,
} from './baseline.ts'
import { type CompareValue, distinct } from '../../shape/compare-value.ts'

/**
 * What declared routes say of their exchanges, by the operation that a request is for where several share a path. A
 * route of another host is taken where there is none of the own.
 */
export function declaredBaseline(routes: readonly RouteDefinition[], isStateful: boolean): Baseline {
  const hosts = createRouter(routes, { hostOf })
  const anywhere = createRouter(routes)
  const byPath = createRouter(routes.map((route) => ({ method: route.method, path: route.path, route })))
  const expected = expectRoutes(isStateful)
  const find = (request: RouteQuery): RouteDefinition | undefined => {
    const { method, origin, headers, query, body } = request
    const path = pathOf(request)
    if (headers === undefined) return byPath.match({ method, path })?.route.route
    const content = createBodyContent(contentOf(body, headers['content-type']))
    const address = {
      method,
      path,
      headers,
      search: new URLSearchParams(entriesOf(query)).toString(),
      content,
    }
    const { host, protocol } = new URL(origin)
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return (hosts.match({ ...address, host, scheme }) ?? anywhere.match(address))?.route
  }
  return (request) => {
    const route = find(request)
    return route && expected(route)
  }
}

// A recorded body as conditions look at it; nothing where it is not what its type says.
function contentOf(body: unknown, type: string | undefined): unknown {
  if (isObject(body) && type !== undefined && contentKindOf(type) === 'form')
    return new URLSearchParams(entriesOf(body))
  if (typeof body !== 'string') return body
  try {
    return parseText(body, type)
  } catch {
    return undefined
  }
}

// A repeated name has a list, and one with brackets an object.
function entriesOf(fields: Readonly<Record<string, unknown>> = {}, above = ''): [string, string][] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const name = above === '' ? key : `${above}[${key}]`
    return [value]
      .flat()
      .flatMap((each): [string, string][] =>
        isObject(each) ? entriesOf(each, name) : [[name, String(each)]],
      )
  })
}

/** What is expected of routes. Each is compiled when it is first needed. */
export function expectRoutes(isStateful: boolean): (route: RouteDefinition) => ExpectedRoute {
  const known = new Map<RouteDefinition, ExpectedRoute>()
  return (route) => entryOf(known, route, () => expect(route, isStateful))
}

function expect(route: RouteDefinition, isStateful: boolean): ExpectedRoute {
  const { operation } = route
  const common = { name: route.key, input: declaredInput(route) }
  if (operation === undefined) return { ...common, ...byOptions(route, isStateful) }
  const answers = new Map<ResponseRule, ExpectedAnswer>()
  return {
    ...common,
    statuses: operation.responses.map(({ status }) => status),
    answer(status) {
      const rule = ruleOf(operation.responses, status)
      return rule && entryOf(answers, rule, () => byRule(rule))
    },
  }
}

function byOptions(
  { method, options, parameters }: RouteDefinition,
  isStateful: boolean,
): Pick<ExpectedRoute, 'statuses' | 'answer' | 'isOpenToFailures'> {
  const { output, status, scenario = [], errors = [], errorCodes = [], input, headers = {} } = options
  const { answers = [], nearest, item } = options
  const { codes = [500] } = options.chaos?.errors ?? { codes: [] }
  const usual = status ?? (method === 'DELETE' && output === undefined ? 204 : 200)
  const statuses = [
    ...(options.file === undefined ? [usual] : fileStatuses(options.file, options)),
    // What calls do decides.
    ...(options.calls === undefined ? [] : [200, 201, 204]),
    ...[...[...scenario, ...errors, ...answers].map((each) => each.status), ...errorCodes],
    ...(item?.again === undefined ? [] : [item.again]),
    ...(Array.isArray(codes) ? codes : Object.keys(codes).map(Number)),
    // What the simulation itself refuses.
    ...(input === undefined ? [] : [400, 422]),
    ...(isStateful && parameters.length > 0 ? [404] : []),
  ]
  const always = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const text = output?.['contentMediaType']
  const type =
    always.get('content-type') ?? (typeof text === 'string' && nearest !== 'all' ? text : undefined)
  const fine: ExpectedAnswer = {
    // A route that names none may stand for one of any type; the model says what its values are.
    types: output === undefined || type === undefined ? [] : [essenceOf(type)],
    headers: [...always.keys()].filter((name) => name !== 'content-type'),
    ...(output !== undefined && { compare: compareOutput(output) }),
  }
  return {
    statuses: [...new Set(statuses)],
    isOpenToFailures: true,
    answer: (code) => (code === usual ? fine : statuses.includes(code) ? ANY_ANSWER : undefined),
  }
}

function ruleOf(rules: readonly ResponseRule[], status: number): ResponseRule | undefined {
  const find = (wanted: number | string): ResponseRule | undefined =>
    rules.find((rule) => rule.status === wanted)
  return find(status) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default')
}

function byRule({ content, headers }: ResponseRule): ExpectedAnswer {
  return {
    types: [...content.keys()].map(essenceOf),
    headers: headers.filter(({ required }) => required).map(({ name }) => name.toLowerCase()),
    values: new Map(headers.map((header) => [header.name.toLowerCase(), compareHeader(header)])),
    compare: compareJson(content),
  }
}

function compareHeader({ model }: ResponseHeader): CompareValue {
  const read = createTextReader(model, createResolver(model))
  const compare = compareWith(model)
  return (text) => compare(read(String(text)))
}

/** What a declared route says of its requests. */
export function declaredInput(route: RouteDefinition): ExpectedInput {
  const { operation, options, method, parameters } = route
  if (operation !== undefined) {
    const { body } = operation
    return { query: queryOf(operation), body: body && compareJson(body.content) }
  }
  const { input } = options
  if (input === undefined) return {}
  const own = withoutParameters(input, parameters)
  const names = new Set(propertiesOf(flatten(input, createResolver(input))).map(([name]) => name))
  return { names, ...(method === 'GET' ? { query: compareQuery(own) } : { body: compareWith(own) }) }
}

// What comes with the path is none of the query or body.
function withoutParameters(input: Schema, parameters: readonly string[]): Schema {
  if (parameters.length === 0) return input
  const flat = flatten(input, createResolver(input))
  const fields = propertiesOf(flat)
  const isOwn = (name: string): boolean => !parameters.includes(name)
  return {
    ...Object.fromEntries(Object.entries(input).filter(([keyword]) => DEFINITIONS.has(keyword))),
    ...flat,
    properties: {
      ...Object.fromEntries(fields.filter(([name]) => isOwn(name))),
      ...Object.fromEntries(parameters.map((name) => [name, true])),
    },
    required: requiredOf(flat).filter(isOwn),
  }
}

const DEFINITIONS = new Set(['$defs', 'definitions', 'components'])

// Texts are read as what the model asks for, as they are when a request is answered.
function compareQuery(model: Schema): CompareValue {
  const resolve = createResolver(model)
  const fields = propertiesOf(flatten(model, resolve))
  const readers = new Map(fields.map(([name, part]) => [name, createTextReader(part, resolve)]))
  const compare = compareWith(model)
  return (query) => {
    if (!isObject(query)) return []
    const read = Object.entries(query).map(([name, text]) => [
      name,
      readers.get(name)?.(text as string | readonly string[]) ?? text,
    ])
    return compare(Object.fromEntries(read))
  }
}

function queryOf({ parameters, security }: Operation): CompareValue {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const keys = security
    .flat()
    .flatMap((scheme) => ('in' in scheme && scheme.in === 'query' ? [scheme.field] : []))
  const compare = compareQuery({
    type: 'object',
    properties: Object.fromEntries<SchemaOrBoolean>([
      ...keys.map((name) => [name, true] as const),
      ...own.map((parameter) => [parameter.name, modelOf(parameter)] as const),
    ]),
    required: own.filter(({ required, style }) => required && style !== 'deepObject').map(({ name }) => name),
    patternProperties: { '^$': true },
  })
  const deep = own.filter(({ style, explode }) => style === 'deepObject' || explode).map(({ name }) => name)
  return (query) => compare(withoutDeep(query, deep))
}

// A list or object is written in many ways; of it only the name is compared.
function modelOf({ model, mediaType }: Parameter): SchemaOrBoolean {
  const types = typesOf(model)
  const isScalar = types.length > 0 && !types.includes('array') && !types.includes('object')
  return isScalar && mediaType === undefined ? model : true
}

// `filter[state]=open` is a part of the parameter `filter`.
function withoutDeep(query: unknown, names: readonly string[]): unknown {
  if (!isObject(query)) return query
  const isPart = (name: string): boolean => names.some((each) => name.startsWith(`${each}[`))
  return Object.fromEntries(Object.entries(query).filter(([name]) => !isPart(name)))
}

function compareJson(content: Content): CompareValue | undefined {
  const [, json] = [...content].find(([type]) => contentKindOf(type) === 'json') ?? []
  return json?.model && compareWith(json.model)
}

/** Makes the comparison with a route's output model. */
export function compareOutput(output: Schema): CompareValue {
  const kind = outputKind(output)
  // A text has no parts that could be compared, though it be XML.
  if (output['contentMediaType'] !== undefined) return () => []
  if (kind === 'single' || kind === 'none' || kind === 'paged') return compareWith(output)
  // An item is compared with its own model, whose references mean what they meant before it was put into a list.
  const properties = { ...(output['properties'] as object | undefined), items: { type: 'array' } }
  const envelope = compareWith(kind === 'list' ? { ...output, items: true } : { ...output, properties })
  const compareItem = compareWith(itemModelOf(output))
  const place = kind === 'list' ? '/-' : '/items/-'
  return (value) => {
    const items: unknown = kind === 'list' || !isObject(value) ? value : value['items']
    const found = (Array.isArray(items) ? items : []).flatMap(compareItem)
    return [
      ...envelope(value),
      ...distinct(found.map((each) => ({ ...each, pointer: `${place}${each.pointer}` }))),
    ]
  }
}
