import { hash } from 'node:crypto'
import { type Attachment, findDocument, type Store, type StoredDocument, writeDocument } from './databases.ts'
import { Refusal } from './refusal.ts'

interface AttachmentPlace {
  readonly database: string
  readonly id: string
  readonly name: string
  readonly rev: string | undefined
}

/** A file of a document. @throws Refusal where it is not there */
export function attachmentOf(store: Store, { database, id, name, rev }: AttachmentPlace): Attachment {
  const { attachments } = findDocument(store, database, id, rev)
  const found = Object.hasOwn(attachments, name) ? attachments[name] : undefined
  if (found === undefined) throw new Refusal('noAttachment')
  return found
}

/** Writes a file of a document, which is made where there is none. @throws Refusal where it was changed since */
export function putAttachment(
  store: Store,
  { database, id, name, rev }: AttachmentPlace,
  { type = 'application/octet-stream', body }: { readonly type: string | undefined; readonly body: unknown },
): StoredDocument {
  const before = store.documents.get(`${database}/${id}`) as StoredDocument | undefined
  const text = typeof body === 'string' ? body : undefined
  const revpos = Number(before?.rev.split('-')[0] ?? 0) + 1
  const stub = {
    content_type: type,
    revpos,
    ...(text !== undefined && {
      digest: `md5-${hash('md5', text, 'base64')}`,
      length: Buffer.byteLength(text),
    }),
    stub: true,
  }
  return writeDocument(store, database, {
    ...{ id, rev, body: before?.isDeleted === false ? before.body : {} },
    attachments: { ...before?.attachments, [name]: { stub, ...(text !== undefined && { text }) } },
  })
}

/** Removes a file of a document. @throws Refusal where it is not there, or was changed since */
export function removeAttachment(store: Store, { database, id, name, rev }: AttachmentPlace): StoredDocument {
  const { body, attachments } = findDocument(store, database, id)
  if (!Object.hasOwn(attachments, name)) throw new Refusal('noAttachment')
  const { [name]: _removed, ...others } = attachments
  return writeDocument(store, database, { id, rev, body, attachments: others })
}
