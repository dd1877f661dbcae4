import type { CallOutcome } from '../../../engine/call-model.ts'
import { conditionsOf, evaluate } from '../../../http/conditions.ts'
import type { Entities } from './entities.ts'
import type { Item } from '../../calls/objects.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { Refusal } from './refusal.ts'
import { predicateOf } from './service.ts'
import { resourceOf } from './show.ts'

/** A request to a service. */
export interface ODataRequest {
  readonly method: string
  /** Below the root, decoded. */
  readonly segments: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly fresh: Fresh
}

/** What a client prefers, by name in lower case (RFC 7240). */
export function preferences({ headers }: Pick<ODataRequest, 'headers'>): ReadonlyMap<string, string> {
  const texts = [headers['prefer'] ?? []].flat().map(String)
  const parts = texts.flatMap((text) => text.split(/[,;]/))
  return new Map(
    parts.map((part) => {
      const [name = '', value = 'true'] = part.split('=').map((each) => each.trim().replaceAll('"', ''))
      return [name.toLowerCase().replace(/^odata\./, ''), value]
    }),
  )
}

/** Whether contexts and other annotations are unwanted. */
export function isBare({ headers, query }: Pick<ODataRequest, 'headers' | 'query'>): boolean {
  return /metadata=none/.test(`${String(query['$format'])} ${String(headers['accept'])}`)
}

/**
 * @returns whether the client has the entity as it is
 * @throws Refusal where a validator that the request names is not that of the entity
 */
export function isUnchanged(
  entities: Entities,
  set: string,
  item: Item | undefined,
  { method, headers }: Pick<ODataRequest, 'method' | 'headers'>,
): boolean {
  const named = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }))
  // Versions are compared by what they say, weak as they mostly are.
  const conditions = conditionsOf(named.map(({ name, value }) => ({ name, value: strong(value) })))
  if (conditions === undefined) return false
  const predicate = item === undefined ? '' : predicateOf(entities.setOf(set), item)
  const verdict =
    item === undefined
      ? conditions['if-match'] === undefined
        ? 'met'
        : 'failed'
      : evaluate(method, conditions, { etag: strong(etagOf(item)), lastModified: undefined })
  if (verdict === 'failed') throw new Refusal('changed', { set, predicate })
  return verdict === 'not modified'
}

function strong<Text extends string | undefined>(tags: Text): Text {
  return tags?.replaceAll(/W\/(?=")/g, '') as Text
}

/** The validator of an entity; `undefined` where its service has none. */
export function etagOf(item: Item): string | undefined {
  const etag = item['@odata.etag'] ?? item['@etag']
  return typeof etag === 'string' ? etag : undefined
}

/** An answer about an entity or another resource. */
export function answer(
  entities: Entities,
  { method }: Pick<ODataRequest, 'method'>,
  given: {
    readonly status: number
    readonly value?: unknown
    readonly kind?: string
    readonly about?: { readonly set: string; readonly item: Item }
    readonly headers?: Readonly<Record<string, string>>
  },
): CallOutcome {
  const { style } = entities.service
  const { status, value, kind = 'json', about, headers = {} } = given
  const resource = about === undefined ? '' : resourceOf(entities, about.set, about.item)
  const own = Object.entries(style.headers[`${method} ${status}`] ?? style.headers[''] ?? {})
  const etag = about && etagOf(about.item)
  return {
    status,
    value,
    headers: {
      ...Object.fromEntries(own.map(([name, text]) => [name, text.replaceAll('{resource}', resource)])),
      ...(etag !== undefined && method !== 'DELETE' && { etag }),
      ...(value !== undefined && { 'content-type': style.contentTypes[kind] ?? TYPES[kind] ?? 'text/plain' }),
      ...headers,
    },
  }
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  text: 'text/plain',
  xml: 'application/xml',
}
