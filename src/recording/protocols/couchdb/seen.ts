import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { contentKindOf } from '../../../media-type.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import type { SeenCall } from '../../calls/call.ts'
import { segmentsOf } from '../endpoints.ts'
import { type CouchRequest, pathOfWritten } from './answer.ts'
import type { Body } from './databases.ts'
import { type AnswerHeaders, type Learned, requestKind } from './known.ts'
import { valueOf } from './parameters.ts'

/** A recorded request, and its answer. */
export interface Seen extends CouchRequest {
  readonly status: number
  readonly answered: unknown
  readonly given: Readonly<Record<string, string>>
}

/** A recorded call as a request to the databases below a root. */
export function seenCall({ call, outcome }: SeenCall, root: string): Seen {
  const { method, path, query, headers, body } = call.args
  return {
    method: String(method),
    segments: segmentsOf(String(path).slice(root.length)),
    query: query as CouchRequest['query'],
    headers: headers as CouchRequest['headers'],
    body,
    status: outcome.status ?? 200,
    answered: jsonIn(outcome.error ?? outcome.value),
    given: outcome.headers ?? {},
    path: String(path),
  }
}

// Some say that JSON is a plain text.
function jsonIn(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? valueOf(value) : value
}

/** How a server answers, as far as its answers alone show it. */
export function plainlySeen(seen: readonly Seen[], root: string): Learned {
  const fine = seen.filter(({ status, answered }) => status < 300 && isObject(answered)) as readonly (Seen & {
    readonly answered: Body
  })[]
  const of = (test: (each: Seen & { readonly answered: Body }) => boolean): Body | undefined =>
    fine.find(test)?.answered
  const isList = (each: Seen, name: string): boolean => each.segments[1] === name
  const info = of(({ segments, answered }) => segments.length === 1 && 'doc_count' in answered)
  const changes = of((each) => isList(each, '_changes'))
  const found = of((each) => isList(each, '_find'))
  const document = of(({ method, answered }) => method === 'GET' && '_rev' in answered)
  const { docs: _docs, ...besides } = found ?? {}
  const seq = changes?.['last_seq'] ?? info?.['update_seq']
  return {
    root,
    ...(info !== undefined && { info }),
    welcome: of(({ segments }) => segments.length === 0),
    databases: [...new Set(seen.filter(isDatabase).map(({ segments: [name = ''] }) => name))].filter((name) =>
      name.startsWith('_'),
    ),
    refusals: {},
    exampleId: seen.flatMap(madeIds)[0] ?? '0123456789abcdef0123456789abcdef',
    isIdFirst: document !== undefined && Object.keys(document)[0] === '_id',
    ...(typeof seq === 'string' && { seqEnd: seq.replace(/^\d+/, '') }),
    hasPending: changes !== undefined && 'pending' in changes,
    hasTextOffset:
      of((each) => isList(each, '_all_docs') && typeof each.answered['offset'] === 'string') !== undefined,
    hasBareViews:
      of(
        ({ segments, query, answered }) =>
          segments[3] === '_view' && query['reduce'] === 'false' && !('total_rows' in answered),
      ) !== undefined,
    headers: headersOf(fine),
    failing: [...groupBy(seen.filter(isOfList), ({ segments }) => segments[1] ?? '')].flatMap(
      ([name, own]) => (own.every(({ status }) => status >= 500) ? [name] : []),
    ),
    found: besides,
    deletesUnnamed: fine.some(
      ({ method, segments, query, headers }) =>
        method === 'DELETE' &&
        segments.length === 2 &&
        query['rev'] === undefined &&
        headers['if-match'] === undefined,
    ),
  }
}

function isOfList({ segments }: Seen): boolean {
  return segments.length === 2 && segments[1]?.startsWith('_') === true
}

function headersOf(fine: readonly (Seen & { readonly answered: Body })[]): Learned['headers'] {
  const found: Record<string, AnswerHeaders> = {}
  for (const { method, segments, path, given, answered } of fine) {
    const { location = '', 'content-type': type } = given
    const own = decodeSegment(pathOfWritten({ path, segments }, answered))
    const named = decodeSegment(location)
    found[requestKind(method, segments)] ??= {
      ...(named.endsWith(own) && method !== 'GET' && { location: named.slice(0, -own.length) }),
      ...(type !== undefined && contentKindOf(type) !== 'json' && { type }),
    }
  }
  return found
}

// Those of documents that were sent without one.
function madeIds({ method, segments, body, answered }: Seen): readonly string[] {
  if (method !== 'POST' || !isObject(body)) return []
  const sent = segments.length === 1 ? [body] : segments[1] === '_bulk_docs' ? [body['docs']].flat() : []
  const made = [answered].flat()
  return sent.flatMap((each, at) => {
    const result = made[at]
    const isNew = isObject(each) && each['_id'] === undefined && isObject(result)
    return isNew && typeof result['id'] === 'string' ? [result['id']] : []
  })
}

/** Whether a request is to a database: operations of the server, too, may have something below them. */
export function isDatabase({ segments: [name = ''] }: Seen): boolean {
  return name !== '' && (!name.startsWith('_') || /^_(users|replicator|global_changes)$/.test(name))
}
