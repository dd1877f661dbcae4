import type { Credential } from '../../pipeline/route.ts'
import type { HttpRequest } from '../../message.ts'
import type { SecurityRequirement, SecurityScheme } from '../../engine/operation.ts'
import { cookiePairs, formPairs, type Pair } from './parameter-style.ts'
import { headerOf } from './parameter-source.ts'

/** Makes what finds the credentials that an operation needs in a request, in alternatives. */
export function createCredentialReader(
  security: readonly SecurityRequirement[],
): (request: HttpRequest) => readonly (readonly Credential[])[] {
  const alternatives = security.map((all) => all.map(readerOf))
  return (request) => alternatives.map((all) => all.map((read) => read(request)))
}

function readerOf(scheme: SecurityScheme): (request: HttpRequest) => Credential {
  if (scheme.kind !== 'apiKey') {
    const { kind, scopes } = scheme
    return () => ({ kind, scopes })
  }
  const { kind, field: name } = scheme
  const { describe, find } = PLACES[scheme.in]
  return (request) => ({ kind, name, place: `${describe} ${name}`, value: find(request, name) })
}

const PLACES: Readonly<Record<'header' | 'query' | 'cookie', ApiKeyPlace>> = {
  header: {
    describe: 'the header',
    find: ({ headers }, name) => headerOf(headers, name.toLowerCase()),
  },
  query: {
    describe: 'the query parameter',
    find: ({ search }, name) => firstOf(formPairs(search), name),
  },
  cookie: {
    describe: 'the cookie',
    find: ({ headers }, name) => firstOf(cookiePairs(headerOf(headers, 'cookie') ?? ''), name),
  },
}

interface ApiKeyPlace {
  readonly describe: string
  readonly find: (request: HttpRequest, name: string) => string | undefined
}

function firstOf(pairs: readonly Pair[], name: string): string | undefined {
  return pairs.find(([each]) => each === name)?.[1]
}
