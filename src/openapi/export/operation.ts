import { POLICY_OPTIONS } from '../../../plugins/index.ts'
import { snakeCase } from '../../data-files/words.ts'
import type { PolicyOptions, RouteOptions } from '../../engine/route-options.ts'
import { isStateful, nameOf, type RouteDefinition } from '../../engine/route.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { whenData } from '../../pipeline/when-option.ts'
import { type Operation, type Server, type Parameter, JSON_TYPE, type RequestBody } from './document.ts'
import { plain, type Hide } from './plain.ts'
import { responsesOf } from './responses.ts'
import { createScope } from './scope.ts'
import { storeUseOf } from './failures.ts'
import type { Components } from './components.ts'
import { inputModelOf, isList, type InputField, type InputModel } from './input-fields.ts'

/** What the operations of one document have in common. */
export interface OperationContext {
  readonly routes: readonly RouteDefinition[]
  readonly stateful: boolean
  readonly verboseErrors: boolean
  /** Sampled success answers by route key. */
  readonly examples: ReadonlyMap<string, unknown>
  readonly components: Components
  readonly hide: Hide
}

/** The name of the security scheme of guarded routes. */
export const BEARER = 'bearerAuth'

/**
 * The operation of a route.
 * @param names the path's parameters as the document's path has them, in order
 */
export function operationOf(
  route: RouteDefinition,
  operationId: string,
  names: readonly string[],
  context: OperationContext,
): Operation {
  const { routes, stateful, verboseErrors, examples, components, hide } = context
  const { summary = summaryOf(route), description, tags = [], host } = route.options
  const input = inputModelOf(route)
  const parameters = parametersOf(route, names, input, components)
  const requestBody = requestBodyOf(route, input, components)
  const store = isStateful(route, stateful) ? storeUseOf(route, routes) : undefined
  const example = examples.get(route.key)
  const options = simOptionsOf(route.options, hide)
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(host !== undefined && { servers: [serverOf(host)] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf({ route, input, store, verboseErrors, example, components, hide }),
    ...(needsToken(route) && { security: [{ [BEARER]: [] }] }),
    ...(options !== undefined && { 'x-sim-options': options }),
  }
}

// A path has no host of its own in OpenAPI; a wildcard is a variable of the server's URL.
function serverOf(host: string): Server {
  if (!host.startsWith('*.')) return { url: `https://${host}` }
  return { url: `https://{name}${host.slice(1)}`, variables: { name: { default: 'any' } } }
}

/** Whether a route is open to those with a bearer token only. */
export function needsToken({ options }: RouteDefinition): boolean {
  return (options.bearerTokens ?? []).length > 0
}

/**
 * The parameters of an operation: all of the path, and for GET the other fields of the input model.
 * @param names the path's parameters as the document's path has them, in order
 */
export function parametersOf(
  route: RouteDefinition,
  names: readonly string[],
  input: InputModel | undefined,
  components: Components,
): Parameter[] {
  const scope = input?.scope ?? createScope({})
  const describe = ({
    flat,
    schema,
  }: InputField): Pick<Parameter, 'description' | 'deprecated' | 'schema'> => ({
    ...(typeof flat['description'] === 'string' && { description: flat['description'] }),
    ...(flat['deprecated'] === true && { deprecated: true }),
    schema: components.use(schema, scope),
  })
  const fromPath = route.parameters.map((name, index): Parameter => {
    const field = input?.fields.get(name) ?? TEXT
    return { name: names[index] ?? name, in: 'path', required: true, ...describe(field) }
  })
  if (route.method !== 'GET') return fromPath

  const own = [...(input?.fields ?? [])].filter(([name]) => !route.parameters.includes(name))
  const fromQuery = [...own, ...tokenOf(route, input)].map(([name, field]): Parameter => ({
    name,
    in: 'query',
    ...(field.required && { required: true }),
    ...describe(field),
    ...(isList(field) && { style: 'form', explode: true }),
  }))
  return [...fromPath, ...fromQuery]
}

const TEXT: InputField = { schema: { type: 'string' }, flat: {}, required: false }

// A page table reads its token whether or not the input model names it.
function tokenOf(
  { options: { pageTable } }: RouteDefinition,
  input: InputModel | undefined,
): [string, InputField][] {
  if (pageTable === undefined || input?.fields.has(pageTable.tokenField) === true) return []
  return [[pageTable.tokenField, { ...TEXT, flat: { description: 'Token of the page; none for the first' } }]]
}

/** The body of an operation that takes one: its input model without what the path gives. */
export function requestBodyOf(
  { method, parameters }: RouteDefinition,
  input: InputModel | undefined,
  components: Components,
): RequestBody | undefined {
  if (method === 'GET' || input === undefined) return undefined
  const bound = parameters.filter((name) => input.declared.has(name))
  if (input.fields.size === bound.length && !takesUnnamedFields(input.flat)) return undefined
  const model = bound.length === 0 ? input.model : withoutFields(input.flat, bound)
  // The gateway takes an empty DELETE, and an empty request where no field is declared for all requests.
  const required = method !== 'DELETE' && input.declared.size > bound.length
  return {
    ...(required && { required }),
    content: { [JSON_TYPE]: { schema: components.use(model, input.scope) } },
  }
}

function takesUnnamedFields(model: Schema): boolean {
  const entries = ['additionalProperties', 'patternProperties', 'unevaluatedProperties']
  return entries.some((keyword) => isObject(model[keyword]) || model[keyword] === true)
}

function withoutFields({ properties, required, title, ...others }: Schema, names: readonly string[]): Schema {
  const remains = ([name]: readonly [string, unknown]): boolean => !names.includes(name)
  return {
    ...others,
    // Another model than the whole one, so that both can be in one document under plain names.
    ...(typeof title === 'string' && { title: `${title}Body` }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(remains)),
    }),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.includes(String(name))) }),
  }
}

/** The simulation options of a route that are data, as data files name them; `undefined` when it has none. */
export function simOptionsOf(options: RouteOptions<Schema>, hide: Hide): Record<string, unknown> | undefined {
  const set = DATA_OPTIONS.filter((name) => options[name] !== undefined)
  if (set.length === 0) return undefined
  const dataOf = (name: keyof RouteOptions): unknown =>
    name === 'when' && options.when !== undefined ? whenData(options.when) : options[name]
  return Object.fromEntries(set.map((name) => [snakeCase(name), hide(plain(dataOf(name)))]))
}

/** Those that are data, and that a document has no words of its own for. */
const DATA_OPTIONS: readonly (keyof RouteOptions)[] = [
  ...(['listCount', 'stateful', 'filterBy', 'seedFrom', 'host', 'when'] as const),
  ...(Object.keys(POLICY_OPTIONS) as (keyof PolicyOptions)[]).filter((name) => {
    const option = POLICY_OPTIONS[name]
    return 'schema' in option && option.secret !== true
  }),
]

/** A route in words, such as `Get users by id`. */
export function summaryOf(route: RouteDefinition): string {
  return [capitalized(route.method.toLowerCase()), ...wordsOf(route)].join(' ')
}

/** An identifier for a route that is not taken yet, such as `getUsersById`; it is taken then. */
export function takeOperationId(route: RouteDefinition, taken: Set<string>): string {
  const name = route.method.toLowerCase() + wordsOf(route).map(capitalized).join('')
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}${number}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

function wordsOf(route: RouteDefinition): string[] {
  const words = `${route.path} ${route.when === undefined ? '' : (nameOf(route) ?? '')}`
    .replace(/\{([^{}]+)\}/g, ' by $1 ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return words.length === 0 ? ['root'] : words
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
