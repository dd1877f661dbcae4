import { isObject } from '../../../engine/schema/schema.ts'
import type { SeenCall } from '../../calls/call.ts'
import type { Item } from '../../calls/objects.ts'
import { membersIn } from './service.ts'
import { fromVersion3 } from './version-3.ts'
import { segmentsBelow } from './segments.ts'

/** A recorded request to a service, and its answer. */
export interface Seen {
  readonly call: SeenCall['call']
  readonly method: string
  /** Below the root, decoded. */
  readonly path: readonly string[]
  /** The same, but by the entity that names a set where one does. */
  readonly segments: readonly string[]
  readonly query: Item
  readonly headers: Item
  readonly body: unknown
  readonly status: number
  readonly value: unknown
  readonly error: unknown
  /** The headers of the answer. */
  readonly answered: Readonly<Record<string, string>>
}

/** Recorded calls as requests to the service at a root. */
export function seenCalls(calls: readonly SeenCall[], root: string): readonly Seen[] {
  return calls.map(({ call, outcome }) => {
    const { method, path, query, headers, body } = call.args
    const segments = segmentsBelow(String(path).slice(root.length))
    return {
      ...{ path: segments, segments, call, body, error: outcome.error, value: fromVersion3(outcome.value) },
      method: String(method),
      query: membersIn(query),
      headers: membersIn(headers),
      status: outcome.status ?? 200,
      answered: outcome.headers ?? {},
    }
  })
}

/** The root of the service that an answer is of, by what it says describes it; `undefined` where it does not say it. */
export function rootIn(path: string, value: unknown): string | undefined {
  const [, above] = /^(.*)\/\$(?:metadata|batch)$/.exec(path) ?? []
  if (above !== undefined) return above
  const context = contextIn(value)
  if (context === undefined) return undefined
  const [document = '', part] = context.split('#')
  if (part === undefined) return path.replace(/\/$/, '')
  const url = `http://any${path}`
  if (!URL.canParse(document, url)) return undefined
  const { pathname } = new URL(document, url)
  return pathname.endsWith('/$metadata') ? pathname.slice(0, -'/$metadata'.length) : undefined
}

/** What an answer says describes it. */
export function contextIn(value: unknown): string | undefined {
  const members = membersIn(value)
  const context = members['@odata.context'] ?? members['@context'] ?? members['odata.metadata']
  return typeof context === 'string' ? context : undefined
}

/** The root that most answers are of. */
export function rootOf(calls: readonly SeenCall[]): string {
  const counts = new Map<string, number>()
  for (const { call, outcome } of calls) {
    const root = rootIn(String(call.args['path']), outcome.value)
    if (root !== undefined) counts.set(root, (counts.get(root) ?? 0) + 1)
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? ''
}

/** The entities that an answer lists, or the one that it is. */
export function entitiesIn(value: unknown): readonly Item[] {
  if (!isObject(value)) return []
  const list = value['value']
  return Array.isArray(list) ? list.filter((item): item is Item => isObject(item)) : [value]
}

/** A path with its dollar signs as they are, which not all write so. */
export function plainPath(path: string): string {
  return path.replaceAll('%24', '$')
}

/** The path and query of a URL in a batch, which may be below the root. */
export function pathOfUrl(
  url: string,
  root: string,
): { readonly path: string; readonly query: Record<string, string> } {
  const [path = '', search = ''] = url.replace(/^\w+:\/\/[^/]+/, '').split(/\?(.*)/s)
  return {
    path: `${path}/`.startsWith(`${root}/`) ? path : `${root}/${path.replace(/^\//, '')}`,
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}
