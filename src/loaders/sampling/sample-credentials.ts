import type { Operation } from '../../engine/operation.ts'
import type { RouteDefinition } from '../../engine/route.ts'

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
  // Listed tokens are asked for in any case, so that of several alternatives the one with a token is the best.
  const withToken = security.find((all) => all.some(({ kind }) => kind === 'bearer'))
  for (const scheme of (token === undefined ? undefined : withToken) ?? security[0] ?? []) {
    if (scheme.kind !== 'apiKey')
      headers['authorization'] ??= scheme.kind === 'basic' ? BASIC : `Bearer ${SAMPLE}`
    else if (scheme.in === 'header') headers[scheme.field.toLowerCase()] = SAMPLE
    else (scheme.in === 'query' ? query : cookies).push([encodeURIComponent(scheme.field), SAMPLE])
  }
  return { headers, query, cookies }
}
