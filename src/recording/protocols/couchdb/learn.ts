import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { type Item, plainType } from '../../calls/objects.ts'
import { freshLike } from '../../match/nearest-answer.ts'
import { answer } from './answer.ts'
import { DATABASES, DOCUMENTS, keyOf, type Store, type StoredDocument } from './databases.ts'
import { Refusal, refusalForm, type RefusalForm } from './refusal.ts'
import { isDatabase, plainlySeen, type Seen, seenCall } from './seen.ts'

/** The databases and documents that there were in the beginning, and how the server answers. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const seen = calls.map((each) => seenCall(each, root))
  const plain = plainlySeen(seen, root)
  const initial = new Map<string, Item>()
  const documents = new Map<string, Item>()
  const refusals: Record<string, RefusalForm> = {}
  const store = { databases: new Map<string, Item>(), documents: new Map<string, Item>() }
  const written = new Set<string>()
  for (const each of seen) {
    const [name = ''] = each.segments
    const isMade = each.method === 'PUT' && each.segments.length === 1
    if (each.status < 400 && !isMade && isDatabase(each) && !store.databases.has(name)) {
      const database = { name, seq: firstSeq(each.answered) }
      if (!written.has(name)) initial.set(name, database)
      store.databases.set(name, database)
    }
    for (const found of shownIn(each)) {
      const key = keyOf(name, found.id)
      const before = store.documents.get(key)
      const isSeen =
        before !== undefined &&
        (Object.keys(before['body'] ?? {}).length > 0 || Object.keys(found.body).length === 0)
      if (written.has(key) || written.has(name) || isSeen) continue
      const known = { ...found, key, database: name, seq: documents.size + 1 }
      documents.set(key, known)
      store.documents.set(key, known)
    }
    if (isMade && each.status < 400) written.add(name)
    try {
      answer(each, { ...store, ...madeIn(each) }, plain)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (each.status >= 400) note(refusals, each, error)
    }
    for (const { error, reason } of failedIn(each))
      refusals[`POST ${error}`] ??= { status: 409, body: { error, reason } }
    for (const [key, item] of store.documents) if (documents.get(key) !== item) written.add(key)
  }
  return {
    types: {
      [DATABASES]: plainType('name', initial.values()),
      [DOCUMENTS]: plainType('key', documents.values()),
    },
    learned: { ...plain, refusals },
  }
}

function note(
  refusals: Record<string, RefusalForm>,
  { method, status, answered }: Seen,
  error: Refusal,
): void {
  const form = refusalForm(error, status, answered)
  for (const key of [`${method} ${error.reason}`, error.reason])
    if (!Object.hasOwn(refusals, key)) refusals[key] = form
}

// Writes of several documents say for each why it was not done.
function failedIn({
  segments,
  answered,
}: Seen): readonly { readonly error: 'conflict'; readonly reason: string }[] {
  const all = segments[1] === '_bulk_docs' && Array.isArray(answered) ? (answered as unknown[]) : []
  return all.filter(isObject).flatMap(({ error, reason }) => {
    return error === 'conflict' && typeof reason === 'string' ? [{ error, reason }] : []
  })
}

function firstSeq(answered: unknown): number {
  const seq = isObject(answered) ? answered['update_seq'] : undefined
  return typeof seq === 'string' ? Number.parseInt(seq, 10) || 0 : Number(seq ?? 0)
}

/** The documents that an answer shows whole. */
function shownIn({ method, status, segments, answered, query }: Seen): readonly StoredDocument[] {
  if (status >= 300 || !isObject(answered) || segments.length < 2) return []
  if (query['rev'] !== undefined) return []
  const isRead = method === 'GET' || segments[1]?.startsWith('_') === true
  if (!isRead) return []
  const { rows, docs, results } = answered
  const listed = [rows, results].flatMap((each) => (Array.isArray(each) ? each : [])).filter(isObject)
  const some = [
    answered,
    ...listed.map((row) => row['doc']),
    ...(Array.isArray(docs) ? docs : []),
    // Rows that show no more than which documents there are.
    ...listed.flatMap(({ id, value, doc }) =>
      doc === undefined && isObject(value) && typeof value['rev'] === 'string'
        ? [{ _id: id, _rev: value['rev'] }]
        : [],
    ),
  ]
  return some.filter(isObject).flatMap((each) => {
    const { _id: id, _rev: rev, _attachments: files, ...body } = each
    if (typeof id !== 'string' || typeof rev !== 'string') return []
    const stubs = Object.entries(isObject(files) ? files : {}).flatMap(([name, stub]) =>
      isObject(stub) ? [[name, { stub }] as const] : [],
    )
    const attachments = Object.fromEntries(stubs)
    return [{ key: '', database: '', id, rev, seq: 0, body, isDeleted: false, attachments, past: [] }]
  })
}

// As the server made them.
function madeIn({ answered }: Seen): Pick<Store, 'makeDigest' | 'makeId'> {
  const all = [answered].flat().filter(isObject)
  return {
    makeId(example) {
      const { id } = all[0] ?? {}
      return typeof id === 'string' ? id : example
    },
    makeDigest(example, key) {
      const own = all.find(({ id }) => key.endsWith(`/${String(id)}`)) ?? {}
      const [, digest] = typeof own['rev'] === 'string' ? own['rev'].split('-') : []
      return digest ?? freshLike(example, { seed: key, now: 0 })
    },
  }
}
