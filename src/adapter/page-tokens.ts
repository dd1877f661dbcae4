import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalText, type Seed } from '../engine/random.ts'
import type { Clock } from '../state/clock.ts'
import { fail, type PageTokenReason } from './failure.ts'

/** Where a page begins, and what it is a page of. */
export interface PagePlace {
  /** Where the next page begins: an index, a key, anything that is JSON. */
  readonly position: unknown
  /** The parameters that must not change from page to page. */
  readonly parameters: unknown
  /** The revision of what is paged through. */
  readonly revision: number | string
  /** The moment from which on the token is refused, by the virtual clock. */
  readonly expiresAt?: number
}

/** What a token says. */
export interface ReadPage {
  readonly position: unknown
  readonly revision: number | string
  /** Whether what is paged through has changed since; only where that is not refused. */
  readonly isStale: boolean
}

/** The page tokens of one operation: opaque, URL-safe and authenticated. */
export interface PageTokens {
  encode(place: PagePlace): string
  /**
   * Reads a token for the same operation and parameters; without a revision nothing is stale.
   * Raises the failure `page-token` for a token that is not of this operation, these parameters or this revision.
   */
  decode(
    token: unknown,
    expected: { readonly parameters: unknown; readonly revision?: number | string },
  ): ReadPage
}

/** What happens to a token whose revision has passed: it is refused, or paging goes on from its position. */
export type Consistency = 'reject' | 'continue'

/** What the tokens of all operations have in common. */
export interface PageTokenOptions {
  readonly seed: Seed
  readonly name: string
  readonly clock: Pick<Clock, 'now'>
  readonly consistency: Consistency
}

const PREFIX = 'v1.'
const MAC_BYTES = 16
const MAX_LENGTH = 16_384

/** Makes the codec of each operation. */
export function createPageTokens({ seed, name, clock, consistency }: PageTokenOptions) {
  const key = `${name}\n${seed}`
  const sign = (text: string | Buffer): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES)

  return (operation: string): PageTokens => {
    const scopeOf = (parameters: unknown): string =>
      sign(`${operation}\n${canonicalText(parameters ?? null)}`).toString('base64url')

    return {
      encode({ position, parameters, revision, expiresAt }) {
        const content = [
          scopeOf(parameters),
          revision,
          position,
          ...(expiresAt === undefined ? [] : [expiresAt]),
        ]
        const bytes = Buffer.from(JSON.stringify(content))
        return PREFIX + Buffer.concat([sign(bytes), bytes]).toString('base64url')
      },
      decode(token, expected) {
        const [scope, revision, position, expiresAt] = open(token, sign)
        if (scope !== scopeOf(expected.parameters)) return refuse('foreign')
        if (expiresAt !== undefined && clock.now() >= expiresAt) return refuse('expired')
        const isStale = expected.revision !== undefined && expected.revision !== revision
        if (isStale && consistency === 'reject') return refuse('stale')
        return { position, revision, isStale }
      },
    }
  }
}

type Content = readonly [scope: string, revision: number | string, position: unknown, expiresAt?: number]

function open(token: unknown, sign: (bytes: Buffer) => Buffer): Content {
  if (typeof token !== 'string' || !token.startsWith(PREFIX) || token.length > MAX_LENGTH)
    return refuse('malformed')
  const text = token.slice(PREFIX.length)
  const bytes = Buffer.from(text, 'base64url')
  // Decoding forgives much: only the one text that these bytes are written as will do.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return refuse('malformed')
  const content = bytes.subarray(MAC_BYTES)
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(content))) return refuse('altered')
  return JSON.parse(content.toString()) as Content
}

function refuse(reason: PageTokenReason): never {
  return fail({ kind: 'page-token', reason })
}
