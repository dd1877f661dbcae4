import { isObject } from '../src/engine/schema/schema.ts'
import { Forbidden, ScopeMissing, Unauthorized } from '../src/errors.ts'
import { createTokenList, hasBasic, type TokenList } from '../src/http/credentials.ts'
import { WHEN_OF_HEAD } from '../src/pipeline/when-option.ts'
import { type Form, listOf, textThat } from '../src/pipeline/option.ts'
import { compileWhen, meetsRequired } from '../src/routing/condition.ts'
import type { Credential, Plugin } from '../src/pipeline/route.ts'

const TOKEN = textThat((text) => text !== '', 'a text', { minLength: 1 })
const CALLER: Form = {
  schema: {
    type: 'object',
    properties: { header: TOKEN.schema, equals: TOKEN.schema },
    required: ['header', 'equals'],
    additionalProperties: false,
  },
  check: (value) =>
    isObject(value) && ['header', 'equals'].every((name) => TOKEN.check(value[name]) === undefined)
      ? undefined
      : 'a header and its value, such as { header: X-User, equals: guest }',
}

/**
 * Lets a request pass with a listed bearer token (RFC 6750, section 2.1), or with the credentials that its operation
 * needs, and refuses it with 401 otherwise. Where no tokens are listed any well-formed credential will do.
 */
export const auth: Plugin = {
  name: 'auth',
  options: {
    bearerTokens: {
      ...listOf(TOKEN, 'a list of texts'),
      describe:
        'The bearer tokens that open the route; none means it is open. The scopes of a token may follow it, with spaces between.',
      secret: true,
      group: 'Chaos',
      flag: { name: 'bearer-token', describe: 'Require one of these tokens' },
    },
    requires: {
      ...WHEN_OF_HEAD,
      describe: 'What the head of a request must have, such as a header; it is refused with 401 otherwise.',
    },
    forbids: {
      ...listOf(CALLER, 'a list of callers such as { header: X-User, equals: guest }'),
      describe:
        'Callers that are refused with 403, by a header and its value, or by the pseudonym that recordings have in its place.',
    },
  },
  plan({ policies: { bearerTokens = [], requires, isForbidden, security } }) {
    const isOpen = requires === undefined && isForbidden === undefined && security === undefined
    if (bearerTokens.length === 0 && isOpen) return undefined
    const required = compileWhen(requires ?? [])
    const tokens = createTokenList(bearerTokens)
    const isListed = bearerTokens.length > 0
    return (exchange) => {
      if (!meetsRequired(required, exchange)) throw new Unauthorized()
      if (isForbidden?.(exchange) === true) throw new Forbidden()
      const alternatives = security?.(exchange) ?? []
      const { authorization } = exchange.headers
      const presented = typeof authorization === 'string' ? authorization : ''
      // A list is a gate of its own where no alternative makes use of it.
      const usesList = alternatives.some((all) => all.some(({ kind }) => kind === 'bearer'))
      if (isListed && !usesList && !tokens.has(presented)) throw new Unauthorized()
      if (alternatives.length === 0) return
      const isMet = (each: Credential): boolean => meets(each, presented, tokens)
      const met = alternatives.filter((all) => all.every(isMet))
      if (met.length === 0) throw refusalOf(alternatives)
      const [missing = NO_SCOPES] = met.map((all) => missingScopes(all, presented, tokens)).toSorted(byLength)
      if (missing.length > 0) throw new ScopeMissing(missing)
    }
  },
}

const NO_SCOPES: readonly string[] = []

function byLength(one: readonly string[], other: readonly string[]): number {
  return one.length - other.length
}

// A token that does not say which scopes it has is taken to have them all.
function missingScopes(
  all: readonly Credential[],
  authorization: string,
  tokens: TokenList,
): readonly string[] {
  const wanted = all.flatMap((each) => (each.kind === 'bearer' ? (each.scopes ?? NO_SCOPES) : NO_SCOPES))
  if (wanted.length === 0) return NO_SCOPES
  const carried = tokens.scopesOf(authorization)
  return carried === undefined ? NO_SCOPES : wanted.filter((scope) => !carried.includes(scope))
}

function meets(credential: Credential, authorization: string, tokens: TokenList): boolean {
  if (credential.kind === 'apiKey') return (credential.value ?? '') !== ''
  return credential.kind === 'basic' ? hasBasic(authorization) : tokens.has(authorization)
}

/** The refusal of a request that has none of these credentials. */
export function refusalOf(alternatives: readonly (readonly Credential[])[]): Unauthorized {
  const challenges = new Set(alternatives.flat().map(challengeOf))
  const needs = alternatives.map((all) => all.map(needOf).join(' and '))
  return new Unauthorized([...challenges], [...new Set(needs)].join(', or '))
}

// RFC 9110, section 11.6.1: a 401 needs a challenge, though no scheme is registered for API keys.
function challengeOf(credential: Credential): string {
  if (credential.kind === 'apiKey') return `ApiKey name=${quoted(credential.name)}`
  return credential.kind === 'basic' ? 'Basic realm="sim", charset="UTF-8"' : 'Bearer'
}

// A header holds no character outside of ISO-8859-1.
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}

function needOf(credential: Credential): string {
  if (credential.kind === 'apiKey') return `an API key in ${credential.place}`
  return credential.kind === 'basic'
    ? 'a name and a password as Basic credentials in the header Authorization'
    : 'a bearer token in the header Authorization'
}
