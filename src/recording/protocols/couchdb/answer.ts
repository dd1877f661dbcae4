import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { attachmentOf, putAttachment, removeAttachment } from './attachments.ts'
import { bulkGet, listAll, listChanges, listFound, missingRevisions } from './lists.ts'
import {
  documentsIn,
  findDocument,
  lastChange,
  lastRevision,
  shownDocument,
  type Store,
  type StoredDocument,
  writeDocument,
} from './databases.ts'
import { type Learned, seqIn, requestKind } from './known.ts'
import { idIn, put, putAll } from './put-documents.ts'
import { Refusal } from './refusal.ts'
import { viewOf } from './views.ts'

/** A request to a server of databases. */
export interface CouchRequest {
  readonly method: string
  readonly path: string
  /** Below the root, decoded. */
  readonly segments: readonly string[]
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

/**
 * What a request comes to, which may change what is stored; `undefined` for what is not known.
 * @throws Refusal where the server refuses it
 */
export function answer(request: CouchRequest, store: Store, known: Learned): CallOutcome | undefined {
  const outcome = outcomeOf(request, store, known)
  if (outcome === undefined) return undefined
  const { location } = known.headers[requestKind(request.method, request.segments)] ?? {}
  const headers = { ...headersFor(request, known), ...outcome.headers }
  if (location === undefined) return { ...outcome, headers }
  return { ...outcome, headers: { ...headers, location: location + pathOfWritten(request, outcome.value) } }
}

/** The path of what a request wrote: its own, or that of the document which was made below it. */
export function pathOfWritten(
  { path, segments }: Pick<CouchRequest, 'path' | 'segments'>,
  answered: unknown,
): string {
  const plain = path.replace(/\/$/, '')
  const { id } = isObject(answered) ? answered : {}
  return segments.length === 1 && typeof id === 'string' ? `${plain}/${encodeURIComponent(id)}` : plain
}

/** The headers that all answers to requests of one kind have. */
export function headersFor(
  { method, segments }: Pick<CouchRequest, 'method' | 'segments'>,
  known: Learned,
): Readonly<Record<string, string>> {
  const { type } = known.headers[requestKind(method, segments)] ?? {}
  return type === undefined ? {} : { 'content-type': type }
}

function outcomeOf(request: CouchRequest, store: Store, known: Learned): CallOutcome | undefined {
  const { segments, method } = request
  const [database = '', second] = segments
  const isReading = method === 'GET' || method === 'HEAD'
  if (segments.length === 0) return isReading && known.welcome !== undefined ? fine(known.welcome) : undefined
  if (database === '_all_dbs') return fine([...store.databases.keys()].toSorted())
  if (database.startsWith('_') && !known.databases.includes(database)) return undefined
  if (second === undefined) return ofDatabase(request, database, store, known)
  if (second.startsWith('_') && second !== '_design' && second !== '_local')
    return segments.length === 2 ? ofList(request, database, store, known) : undefined
  const isOfKind = second === '_design' || second === '_local'
  const id = isOfKind ? segments.slice(1, 3).join('/') : second
  const rest = segments.slice(isOfKind ? 3 : 2)
  const isWhole = !isOfKind || segments.length > 2
  if (second === '_design' && rest[0] === '_view' && rest.length === 2)
    return ofView(request, { database, design: segments[2] ?? '', view: rest[1] ?? '' }, store, known)
  if (!isWhole || rest[0]?.startsWith('_') === true) return undefined
  const place = { database, id }
  return rest.length > 0
    ? ofAttachment(request, { ...place, name: rest.join('/') }, store)
    : ofDocument(request, place, store, known)
}

function ofDatabase(
  { method, body }: CouchRequest,
  name: string,
  store: Store,
  known: Learned,
): CallOutcome | undefined {
  switch (method) {
    case 'PUT':
      if (!/^[_a-z][\w$()+/-]*$/.test(name)) throw new Refusal('wrongName')
      if (store.databases.has(name)) throw new Refusal('databaseExists')
      store.databases.set(name, { name, seq: 0 })
      return { value: { ok: true }, status: 201 }
    case 'DELETE':
      lastChange(store, name)
      store.databases.delete(name)
      for (const [key, item] of store.documents) if (item['database'] === name) store.documents.delete(key)
      return fine({ ok: true })
    case 'GET':
    case 'HEAD':
      return fine(infoOf(name, store, known))
    case 'POST':
      lastChange(store, name)
      return isObject(body) ? written(put(store, name, idIn(body, store, known), body)) : undefined
    default:
      return undefined
  }
}

function infoOf(name: string, store: Store, known: Learned): unknown {
  const { info } = known
  const seq = lastChange(store, name)
  const all = documentsIn(store, name)
  const own = {
    db_name: name,
    doc_count: all.filter(({ isDeleted }) => !isDeleted).length,
    doc_del_count: all.filter(({ isDeleted }) => isDeleted).length,
    update_seq: seqIn(known, seq),
  }
  if (info === undefined) return own
  return Object.fromEntries(
    Object.entries(info).map(([member, value]) => [
      member,
      Object.hasOwn(own, member) ? own[member as keyof typeof own] : value,
    ]),
  )
}

function ofDocument(
  { method, query, headers, body }: CouchRequest,
  { database, id }: Place,
  store: Store,
  known: Learned,
): CallOutcome | undefined {
  const rev = textOf(query['rev']) ?? unquoted(textOf(headers['if-match']))
  switch (method) {
    case 'GET':
    case 'HEAD': {
      if (query['open_revs'] !== undefined) return undefined
      const found = findDocument(store, database, id, textOf(query['rev']))
      return fine(shownDocument(found, known, query))
    }
    case 'PUT':
      return isObject(body) ? written(put(store, database, id, { _rev: rev, ...body })) : undefined
    case 'DELETE': {
      const last = known.deletesUnnamed ? lastRevision(store, database, id) : undefined
      return written(writeDocument(store, database, { id, rev: rev ?? last, body: {}, isDeleted: true }), 200)
    }
    default:
      return undefined
  }
}

interface Place {
  readonly database: string
  readonly id: string
}

function ofAttachment(
  { method, query, headers, body }: CouchRequest,
  { database, id, name }: Place & { readonly name: string },
  store: Store,
): CallOutcome | undefined {
  const rev = textOf(query['rev']) ?? unquoted(textOf(headers['if-match']))
  const place = { database, id, name, rev }
  switch (method) {
    case 'GET':
    case 'HEAD': {
      const { text, stub } = attachmentOf(store, { ...place, rev: textOf(query['rev']) })
      const type = String(stub['content_type'])
      return text === undefined ? undefined : { value: text, status: 200, headers: { 'content-type': type } }
    }
    case 'PUT':
      return written(putAttachment(store, place, { type: textOf(headers['content-type']), body }))
    case 'DELETE':
      return written(removeAttachment(store, place), 200)
    default:
      return undefined
  }
}

function ofList(
  request: CouchRequest,
  database: string,
  store: Store,
  known: Learned,
): CallOutcome | undefined {
  const last = lastChange(store, database)
  const { query, segments, method, body } = request
  if (known.failing.includes(segments[1] ?? '')) return undefined
  const isPost = method === 'POST' && isObject(body)
  const given = isPost ? { ...query, ...body } : query
  const all = documentsIn(store, database)
  switch (segments[1]) {
    case '_all_docs':
      return isPost || method === 'GET' ? fine(listAll(all, given, known)) : undefined
    case '_changes':
      return isPost || method === 'GET' ? fineIf(listChanges(all, given, last, known)) : undefined
    case '_find':
      return isPost ? fineIf(listFound(all, body, known)) : undefined
    case '_bulk_get':
      return isPost ? fineIf(bulkGet(store, database, body, known)) : undefined
    case '_revs_diff':
      return isPost ? fine(missingRevisions(all, body)) : undefined
    case '_bulk_docs':
      return isPost && Array.isArray(body['docs'])
        ? { status: 201, value: putAll(store, database, body, known) }
        : undefined
    default:
      return undefined
  }
}

function ofView(
  { method, query, body }: CouchRequest,
  place: Parameters<typeof viewOf>[2],
  store: Store,
  known: Learned,
): CallOutcome | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const given = isObject(body) ? { ...query, ...body } : query
  return fineIf(viewOf(store, documentsIn(store, place.database), place, given, known))
}

function written({ id, rev }: Pick<StoredDocument, 'id' | 'rev'>, status = 201): CallOutcome {
  return { value: { ok: true, id, rev }, status }
}

function fine(value: unknown): CallOutcome {
  return { value, status: 200 }
}

function fineIf(value: unknown): CallOutcome | undefined {
  return value === undefined ? undefined : fine(value)
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'undefined' ? value : undefined
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replace(/^(?:W\/)?"(.*)"$/, '$1')
}
