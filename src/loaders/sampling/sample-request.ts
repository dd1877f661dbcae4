import type { Input } from '../../engine/input.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { flatten } from '../../engine/schema/merge.ts'
import { createResolver, isObject, propertiesOf } from '../../engine/schema/schema.ts'
import { sampleHost } from '../../routing/host.ts'

/** One request to a declared route. */
export interface SampleRequest {
  readonly method: Method
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

/** A request whose path is not filled in yet. */
export interface Draft {
  /** The texts of the path's parameters that were drawn for it. */
  readonly parameters: Readonly<Record<string, string>>
  request(parameters: Readonly<Record<string, string>>): SampleRequest
}

/** The request that carries an input to a route, with the credentials the route asks for. */
export function createSampleRequest(
  route: RouteDefinition,
  input: Input,
  parameters: Readonly<Record<string, string>>,
): SampleRequest {
  const { method, options } = route
  const [token] = options.bearerTokens ?? []
  const named = {
    ...(options.host !== undefined && { host: sampleHost(options.host) }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const path = route.path
    .replace(/\{([^{}]+)\}/g, (_whole, name: string) => encodeURIComponent(parameters[name] ?? ''))
    .replace(/[^!-~]+/gu, encodeURIComponent)
  const rest = Object.entries(input).filter(([name]) => !route.parameters.includes(name))

  if (method === 'GET') return { method, url: withQuery(path, rest), headers: named }
  if (options.input === undefined || (method === 'DELETE' && rest.length === 0)) {
    return { method, url: path, headers: named }
  }
  const headers = { ...named, 'content-type': 'application/json' }
  return { method, url: path, headers, payload: JSON.stringify(Object.fromEntries(rest)) }
}

function withQuery(path: string, fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      query.append(name, queryText(each))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function queryText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Makes inputs that a route's model accepts: another one for each attempt; `undefined` when none was found. */
type SampleInput = (attempt: number) => Input | undefined

const FEW_ITEMS = 3
const MAX_TRIES = 20

/**
 * The maker of a route's sample inputs. What a GET may leave out is left out, so that the sample shows its defaults.
 * @throws ModelInvalid or ModelNotGenerable when the input model cannot be used
 */
export function createSampleInput(route: RouteDefinition, seed: Seed): SampleInput {
  const { input: model } = route.options
  if (route.graphql !== undefined) return () => ({ query: route.graphql?.sample ?? '' })
  if (model === undefined) return () => ({})
  const generate = compileGenerator(model)
  const checker = createChecker(model, { defaults: true })
  const stream = contentStream(seed, `sample ${route.key}`)
  const shape = shapeOf(route)

  return (attempt) => {
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const draws = stream.child(attempt).child(tried)
      const full = generate(draws, { route: route.key, input: {}, headers: {}, depth: 0 })
      if (!isObject(full)) break
      const found = shape(full).find((candidate) => checker.fits(structuredClone(candidate)))
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The forms in which a generated input may be sent, the best first. */
function shapeOf(route: RouteDefinition): (full: Input) => readonly Input[] {
  const { input: model = {}, listCount, pageTable } = route.options
  const flat = flatten(model, createResolver(model))
  const required = new Set(Array.isArray(flat['required']) ? (flat['required'] as unknown[]) : [])
  const withDefault = propertiesOf(flat).filter(
    ([, part]) => isObject(part) && Object.hasOwn(part, 'default'),
  )
  const defaults = new Set(withDefault.map(([name]) => name))

  const isWanted = (name: string): boolean =>
    route.parameters.includes(name) || (required.has(name) && !defaults.has(name))
  const overrides: Input = {
    ...(typeof listCount === 'string' && { [listCount]: FEW_ITEMS }),
    ...(pageTable !== undefined && { [pageTable.tokenField]: '' }),
  }
  const overridden = (input: Input): Input =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, overrides[name] ?? value]))

  return (full) => {
    const few = Object.fromEntries(Object.entries(full).filter(([name]) => isWanted(name)))
    const forms = route.method === 'GET' ? [few, full] : [full]
    return forms.flatMap((form) => [overridden(form), form])
  }
}
