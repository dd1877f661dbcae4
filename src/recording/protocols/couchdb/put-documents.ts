import { isObject } from '../../../engine/schema/schema.ts'
import { type Body, keyOf, type Store, type StoredDocument, writeDocument } from './databases.ts'
import type { Learned } from './known.ts'
import { Refusal, refused } from './refusal.ts'

/** `_bulk_docs`: writes several documents, each of which may be refused. */
export function putAll(store: Store, database: string, body: Body, known: Learned): readonly unknown[] {
  const isReplicated = body['new_edits'] === false
  const results = (body['docs'] as unknown[]).filter(isObject).map((each) => {
    const id = idIn(each, store, known)
    try {
      const { rev } = put(store, database, id, each, isReplicated)
      return { ok: true, id, rev }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { error: said } = refused(error, 'POST', known)
      return { id, ...(isObject(said) ? said : {}) }
    }
  })
  return isReplicated ? [] : results
}

/** Writes a document as a request has it. @throws Refusal where it was changed since */
export function put(
  store: Store,
  database: string,
  id: string,
  given: Body,
  isReplicated = false,
): StoredDocument {
  const { _id: _ownId, _rev: rev, _deleted: isDeleted, _attachments: attachments, ...rest } = given
  const { _revisions: _history, ...body } = rest
  const special = Object.keys(body).find((name) => name.startsWith('_') && !SPECIAL.test(name))
  if (special !== undefined) throw new Refusal('wrongMember', special)
  const before = store.documents.get(keyOf(database, id)) as StoredDocument | undefined
  const kept = Object.entries(isObject(attachments) ? attachments : {}).flatMap(([name, stub]) => {
    const own = Object.hasOwn(before?.attachments ?? {}, name) ? before?.attachments[name] : undefined
    if (own !== undefined && isObject(stub) && stub['stub'] === true) return [[name, own] as const]
    return isObject(stub) ? [[name, { stub: { ...stub, stub: true } }] as const] : []
  })
  return writeDocument(store, database, {
    ...{ id, body, isReplicated, isDeleted: isDeleted === true },
    rev: typeof rev === 'string' ? rev : undefined,
    attachments: Object.fromEntries(kept),
  })
}

/** The id that a document has, or else is given. */
export function idIn({ _id: id }: Body, { makeId, documents }: Store, { exampleId }: Learned): string {
  return typeof id === 'string' ? id : makeId(exampleId, documents.size)
}

/** Members of a document that are not of its content. */
const SPECIAL = /^_(revs_info|conflicts|deleted_conflicts|local_seq|replication_\w+)$/
