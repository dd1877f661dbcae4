import { sampleHost } from '../../routing/host.ts'
import type { Input } from '../../engine/input.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'

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
