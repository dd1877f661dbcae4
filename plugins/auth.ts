import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Unauthorized } from '../src/errors.ts'

/** A credential that a request is asked for. */
export type Credential =
  | { readonly kind: 'bearer' | 'basic' }
  /** `place` says where it belongs, such as `the header X-Api-Key`; `value` is what the request has there. */
  | {
      readonly kind: 'apiKey'
      readonly name: string
      readonly place: string
      readonly value: string | undefined
    }

/** Options of the auth plugin. */
export interface AuthOptions {
  /** The bearer tokens that open the way for a request; none or an empty list opens it to any. */
  readonly tokens: (request: FastifyRequest) => readonly string[] | undefined
  /** Credentials that are asked for together, and alternatives to them; none of these asks for listed tokens alone. */
  readonly security?: (request: FastifyRequest) => readonly (readonly Credential[])[]
}

/**
 * Lets a request pass with a listed bearer token (RFC 6750, section 2.1), or with the credentials asked of it, and
 * refuses it with 401 otherwise. Where no tokens are listed any well-formed credential will do.
 */
export const auth = fp<AuthOptions>(
  async (app, { tokens, security = () => [] }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const allowed = tokens(request) ?? []
      const alternatives = security(request)
      if (allowed.length === 0 && alternatives.length === 0) return done()
      const { authorization = '' } = request.headers
      // A list is a gate of its own where no alternative makes use of it.
      const usesList = alternatives.some((all) => all.some(({ kind }) => kind === 'bearer'))
      if (allowed.length > 0 && !usesList && !hasBearer(authorization, allowed)) throw new Unauthorized()
      const isMet = (each: Credential): boolean => meets(each, authorization, allowed)
      if (alternatives.length > 0 && !alternatives.some((all) => all.every(isMet)))
        throw refusalOf(alternatives)
      done()
    })
  },
  { name: 'auth', fastify: '5.x' },
)

function meets(credential: Credential, authorization: string, allowed: readonly string[]): boolean {
  if (credential.kind === 'apiKey') return (credential.value ?? '') !== ''
  return credential.kind === 'basic' ? hasBasic(authorization) : hasBearer(authorization, allowed)
}

function hasBearer(authorization: string, allowed: readonly string[]): boolean {
  const [, presented] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return presented !== undefined && (allowed.length === 0 || isListed(presented, allowed))
}

// RFC 7617, section 2: a name and a password with a colon between them, in Base64.
function hasBasic(authorization: string): boolean {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  return encoded !== undefined && Buffer.from(encoded, 'base64').includes(':')
}

// Digests have one length, so that the comparison's time tells nothing about a token; every token is compared.
function isListed(presented: string, allowed: readonly string[]): boolean {
  const digest = digestOf(presented)
  return allowed.filter((token) => timingSafeEqual(digestOf(token), digest)).length > 0
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function refusalOf(alternatives: readonly (readonly Credential[])[]): Unauthorized {
  const challenges = new Set(alternatives.flat().map(challengeOf))
  const needs = alternatives.map((all) => all.map(needOf).join(' and '))
  return new Unauthorized([...challenges], [...new Set(needs)].join(', or '))
}

// RFC 9110, section 11.6.1. No scheme is registered for API keys, but a 401 without a challenge is none.
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
