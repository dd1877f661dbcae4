import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Unauthorized } from '../src/sim-error.ts'

/** Options of the auth plugin. */
export interface AuthOptions {
  /** The bearer tokens that open the way for a request; none or an empty list leaves it open. */
  readonly tokens: (request: FastifyRequest) => readonly string[] | undefined
}

/** Lets a request pass with a listed bearer token (RFC 6750, section 2.1), and refuses it with 401 otherwise. */
export const auth = fp<AuthOptions>(
  async (app, { tokens }) => {
    app.addHook('onRequest', async (request) => {
      const allowed = tokens(request)
      if (allowed === undefined || allowed.length === 0) return
      const [, presented] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
      if (presented === undefined || !isListed(presented, allowed)) throw new Unauthorized()
    })
  },
  { name: 'auth', fastify: '5.x' },
)

// Digests have one length, so that the comparison's time tells nothing about a token; every token is compared.
function isListed(presented: string, allowed: readonly string[]): boolean {
  const digest = digestOf(presented)
  return allowed.filter((token) => timingSafeEqual(digestOf(token), digest)).length > 0
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
