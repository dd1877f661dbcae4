import type { Item } from '../../calls/objects.ts'
import { Refusal } from './refusal.ts'

/** The types of a model's objects. */
export const DATABASES = 'database'
export const DOCUMENTS = 'document'

/** A revision of a document: how often it was changed, and a digest. */
export const REVISION = /^\d+-[\da-f]{32}$/

/** A document as it was or is. */
export type Body = Readonly<Record<string, unknown>>

/** A document with what is known of it. */
export interface StoredDocument {
  readonly key: string
  readonly database: string
  readonly id: string
  readonly rev: string
  /** The count of changes in its database when it was changed last. */
  readonly seq: number
  /** Without `_id`, `_rev` and `_attachments`. */
  readonly body: Body
  readonly isDeleted: boolean
  readonly attachments: Readonly<Record<string, Attachment>>
  /** Earlier revisions, the last first. */
  readonly past: readonly (readonly [rev: string, body: Body])[]
}

/** A file of a document. */
export interface Attachment {
  readonly stub: Body
  /** Absent where it is not a text. */
  readonly text?: string
}

/** What there is, and how the server makes ids and revisions. */
export interface Store {
  readonly databases: Map<string, Item>
  readonly documents: Map<string, Item>
  /** The digest of a document's next revision. */
  makeDigest(example: string, key: string): string
  /** The id of a document. @param count how many there are */
  makeId(example: string, count: number): string
}

/** More than these revisions are forgotten. */
const MAX_PAST = 20
/** The form of revisions. */
const DIGEST = '0'.repeat(16) + 'f'.repeat(16)

export function keyOf(database: string, id: string): string {
  return `${database}/${id}`
}

/** Whether a document is kept for one client or replication alone, and is in no list. */
export function isLocal(id: string): boolean {
  return id.startsWith('_local/')
}

/** The number of the last change of a database. @throws Refusal where there is no such database */
export function lastChange({ databases }: Store, name: string): number {
  const database = databases.get(name)
  if (database === undefined) throw new Refusal('noDatabase')
  return Number(database['seq'])
}

/** All documents of a database but local ones. */
export function documentsIn({ documents }: Store, database: string): readonly StoredDocument[] {
  return [...(documents.values() as Iterable<unknown>)]
    .map((each) => each as StoredDocument)
    .filter((each) => each.database === database && !isLocal(each.id))
}

/** A document, or one of its earlier revisions. @throws Refusal where it is not there */
export function findDocument(store: Store, database: string, id: string, rev?: string): StoredDocument {
  lastChange(store, database)
  const found = store.documents.get(keyOf(database, id)) as StoredDocument | undefined
  if (found === undefined) throw new Refusal('missing')
  if (rev === undefined || rev === found.rev) {
    if (found.isDeleted) throw new Refusal('deleted')
    return found
  }
  const [, body] = found.past.find(([before]) => before === rev) ?? []
  if (body === undefined) throw new Refusal('missing')
  return { ...found, rev, body, isDeleted: false }
}

/** The revision of a document that is there. */
export function lastRevision({ documents }: Store, database: string, id: string): string | undefined {
  const found = documents.get(keyOf(database, id)) as StoredDocument | undefined
  return found?.isDeleted === false ? found.rev : undefined
}

/** What is to be written of a document. */
export interface Write {
  readonly id: string
  /** The revision that it is a change of. */
  readonly rev: string | undefined
  readonly body: Body
  readonly isDeleted?: boolean
  /** Absent for those that there are. */
  readonly attachments?: StoredDocument['attachments']
  /** Whether the revision is the new one, as a replication says it. */
  readonly isReplicated?: boolean
}

/** Writes a document. @throws Refusal where there is no such database, or the document was changed since */
export function writeDocument(store: Store, database: string, write: Write): StoredDocument {
  const { id, rev, body, isDeleted = false, isReplicated = false } = write
  const seq = lastChange(store, database)
  if (rev !== undefined && !/^\d+-/.test(rev)) throw new Refusal('wrongRevision')
  const key = keyOf(database, id)
  const before = store.documents.get(key) as StoredDocument | undefined
  if (!isReplicated) checkRevision(before, { id, rev, isDeleted })
  const number = Number(before?.rev.split('-')[0] ?? 0) + 1
  const own = isLocal(id) ? `0-${localNumber(before)}` : `${number}-${store.makeDigest(DIGEST, key)}`
  const document: StoredDocument = {
    ...{ key, database, id, body, isDeleted },
    rev: isReplicated && rev !== undefined ? rev : own,
    seq: isLocal(id) ? seq : seq + 1,
    attachments: write.attachments ?? {},
    past: before === undefined ? [] : [[before.rev, before.body] as const, ...before.past].slice(0, MAX_PAST),
  }
  // A document that was changed comes after all others.
  store.documents.delete(key)
  store.documents.set(key, { ...document })
  if (!isLocal(id)) store.databases.set(database, { name: database, seq: seq + 1 })
  return document
}

function checkRevision(
  before: StoredDocument | undefined,
  { id, rev, isDeleted }: Pick<Write, 'id' | 'rev'> & { readonly isDeleted: boolean },
): void {
  if (before === undefined || before.isDeleted) {
    if (isDeleted) throw new Refusal(before === undefined ? 'missing' : 'deleted')
    if (rev !== undefined && before === undefined && !isLocal(id)) throw new Refusal('conflict')
    return
  }
  if (rev !== before.rev) throw new Refusal('conflict')
}

function localNumber(before: StoredDocument | undefined): number {
  return Number(before?.rev.split('-')[1] ?? 0) + 1
}

/** A document as its readers get it. */
export function shownDocument(
  { id, rev, body, attachments, past, isDeleted }: StoredDocument,
  { isIdFirst }: { readonly isIdFirst: boolean },
  query: Readonly<Record<string, unknown>> = {},
): Body {
  const isWhole = query['attachments'] === 'true'
  const files = Object.entries(attachments).map(([name, file]) => [
    name,
    isWhole ? wholeFile(file) : file.stub,
  ])
  const named = {
    ...{ _id: id, _rev: rev },
    ...(isDeleted && { _deleted: true }),
  }
  const revs = [rev, ...past.map(([before]) => before)]
  const more = {
    ...(files.length > 0 && { _attachments: Object.fromEntries(files) as Body }),
    ...(query['revs_info'] === 'true' && {
      _revs_info: revs.map((each) => ({ rev: each, status: 'available' })),
    }),
    ...(query['revs'] === 'true' && {
      _revisions: { start: Number(rev.split('-')[0]), ids: revs.map((each) => each.split('-')[1]) },
    }),
  }
  return isIdFirst ? { ...named, ...body, ...more } : { ...body, ...more, ...named }
}

function wholeFile({ stub: { length, stub, ...rest }, text }: Attachment): Body {
  if (text === undefined) return { ...rest, length, stub }
  return { ...rest, data: Buffer.from(text).toString('base64') }
}
