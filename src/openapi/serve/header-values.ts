import type { PageFacts } from '../../collections/paging/page-fields.ts'
import { urlOfCall } from '../../collections/paging/page-links.ts'
import { FIRST_MOMENT, SECONDS } from '../../engine/schema/formats.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Stream } from '../../engine/random.ts'
import type { HttpRequest } from '../../message.ts'

/** What is known of an answer when its headers are made. */
export interface Known {
  readonly body?: unknown
  /** What is true of the page that it is. */
  readonly facts?: PageFacts | undefined
}

/** A value that a header has by its name; `undefined` where the name says nothing, or nothing is known. */
export type ValueByName = (call: HttpRequest, known: Known, stream: Stream) => Text | undefined

type Text = string | number | boolean

const PAGES: readonly (readonly [RegExp, (facts: PageFacts) => Text | undefined])[] = [
  [/(total|number|num)-?(of-)?pages$|pages?-?(count|total)$/, ({ totalPages }) => totalPages],
  [/total|count$/, ({ total }) => total],
  [/per-?page$|page-?size$|limit$/, ({ size }) => size],
  [/next-?page$/, ({ page, hasNext }) => (hasNext ? page + 1 : undefined)],
  [/prev(ious)?-?page$/, ({ page, hasPrevious }) => (hasPrevious ? page - 1 : undefined)],
  [/has-?(next|more)(-?page)?$/, ({ hasNext }) => hasNext],
  [/(current-?page|page(-?number)?)$/, ({ page }) => page],
  [/offset$/, ({ offset }) => offset],
]

/** How many requests may still come, where nothing limits them. */
const QUOTA: readonly (readonly [RegExp, number])[] = [
  [/remaining$/, 999],
  [/(reset|reset-after)$/, 60],
  [/used$/, 1],
  [/limit(-\w+)?$/, 1000],
]

const DATES = new Set(['last-modified', 'expires', 'sunset'])

/** Finds how a header of a name gets its value. @param name in lower case */
export function valueByName(name: string, status: number): ValueByName | undefined {
  if (DATES.has(name))
    return (_call, _known, stream) => new Date(FIRST_MOMENT + stream.integer(0, SECONDS) * 1000).toUTCString()
  if (name === 'retry-after') return () => 1
  if (name === 'location') return status >= 300 && status < 400 ? undefined : locationOf
  if (/rate-?limit/.test(name)) {
    const [, quota] = QUOTA.find(([pattern]) => pattern.test(name)) ?? []
    return quota === undefined ? undefined : () => quota
  }
  const [, factOf] = PAGES.find(([pattern]) => pattern.test(name)) ?? []
  return factOf && ((_call, { facts }) => facts && factOf(facts))
}

// What a request has made is below where it was made.
function locationOf(call: HttpRequest, { body }: Known): string | undefined {
  const id = isObject(body) ? (body['id'] ?? body['uuid'] ?? body['key']) : undefined
  if (call.method !== 'POST' || (typeof id !== 'string' && typeof id !== 'number')) return undefined
  return `${urlOfCall(call).replace(/\/$/, '')}/${encodeURIComponent(String(id))}`
}
