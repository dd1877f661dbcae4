import type { Credential } from '../../pipeline/route.ts'
import type { HttpRequest } from '../../message.ts'
import type { Operation, SecurityScheme } from '../../engine/operation.ts'
import { cookiePairs, formPairs } from './parameter-style.ts'
import { headerOf } from './parameter-source.ts'

/** The credentials that an operation asks of a call, in alternatives. */
export function credentialsFor(
  operation: Operation | undefined,
  call: HttpRequest,
): readonly (readonly Credential[])[] {
  return operation?.security.map((all) => all.map((scheme) => credentialOf(scheme, call))) ?? []
}

const PLACES = { header: 'the header', query: 'the query parameter', cookie: 'the cookie' } as const

function credentialOf(scheme: SecurityScheme, call: HttpRequest): Credential {
  if (scheme.kind !== 'apiKey') return { kind: scheme.kind }
  const { field: name } = scheme
  return {
    kind: 'apiKey',
    name,
    place: `${PLACES[scheme.in]} ${name}`,
    value: valueAt(scheme.in, name, call),
  }
}

function valueAt(
  place: keyof typeof PLACES,
  name: string,
  { headers, search }: HttpRequest,
): string | undefined {
  if (place === 'header') return headerOf(headers, name.toLowerCase())
  const pairs = place === 'query' ? formPairs(search) : cookiePairs(headerOf(headers, 'cookie') ?? '')
  return pairs.find(([each]) => each === name)?.[1]
}
