import { readJsonFilter } from '../../../collections/json-filter.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { compareValues } from '../../calls/objects.ts'
import { type Body, findDocument, shownDocument, type Store, type StoredDocument } from './databases.ts'
import { type Learned, seqIn } from './known.ts'
import { inRange, rangeOf } from './key-range.ts'
import { isTrue, numberOf, partOf, valueOf } from './parameters.ts'
import { Refusal } from './refusal.ts'

/** `_all_docs`: the documents of a database by their ids. */
export function listAll(all: readonly StoredDocument[], given: Body, known: Learned): unknown {
  const living = all
    .filter(({ isDeleted }) => !isDeleted)
    .toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
  const hasBodies = isTrue(given['include_docs'])
  const rowOf = (each: StoredDocument): object => ({
    ...{ id: each.id, key: each.id, value: { rev: each.rev } },
    ...(hasBodies && { doc: shownDocument(each, known) }),
  })
  const keys = valueOf(given['keys'])
  const skip = numberOf(given['skip']) ?? 0
  const offset = known.hasTextOffset && given['skip'] !== undefined ? String(skip) : skip
  if (Array.isArray(keys)) {
    const rows = keys.map((key) => {
      const found = all.find(({ id }) => id === key)
      if (found === undefined) return { key, error: 'not_found' }
      if (!found.isDeleted) return rowOf(found)
      const value = { rev: found.rev, deleted: true }
      return { id: found.id, key, value, ...(hasBodies && { doc: null }) }
    })
    return { total_rows: living.length, offset, rows: partOf(rows, given) }
  }
  const { key, start, end, ...range } = rangeOf(given)
  const ofTexts = { ...range, key: textIn(key), start: textIn(start), end: textIn(end) }
  const within = inRange(
    living.map((document) => ({ key: document.id, document })),
    ofTexts,
  )
  const rows = partOf(within, given).map(({ document }) => rowOf(document))
  return { total_rows: living.length, offset, rows }
}

// Ids are texts, which others do not bound.
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** `_changes`: the last change of each document; `undefined` for a feed that goes on. */
export function listChanges(
  all: readonly StoredDocument[],
  given: Body,
  last: number,
  known: Learned,
): unknown {
  const feed = given['feed']
  const isFiltered = given['filter'] !== undefined && given['filter'] !== '_doc_ids'
  if ((feed !== undefined && feed !== 'normal' && feed !== 'longpoll') || isFiltered) return undefined
  const { since: named } = given
  const number = typeof named === 'string' ? named.split('-')[0] : named
  const since = named === 'now' ? last : (numberOf(number) ?? 0)
  const ids = valueOf(given['doc_ids'])
  const ordered = all
    .filter(({ seq, id }) => seq > since && (!Array.isArray(ids) || ids.includes(id)))
    .toSorted((a, b) => a.seq - b.seq)
  if (feed === 'longpoll' && ordered.length === 0) return undefined
  const some = isTrue(given['descending']) ? ordered.toReversed() : ordered
  const shown = some.slice(0, numberOf(given['limit']) ?? Infinity)
  const results = shown.map((each) => ({
    ...{ seq: seqIn(known, each.seq), id: each.id, changes: [{ rev: each.rev }] },
    ...(each.isDeleted && { deleted: true }),
    ...(isTrue(given['include_docs']) && { doc: shownDocument(each, known) }),
  }))
  const end = shown.length < some.length ? (shown.at(-1)?.seq ?? since) : last
  return {
    results,
    last_seq: seqIn(known, end),
    ...(known.hasPending && { pending: some.length - shown.length }),
  }
}

/** How many documents a selector gives where nobody says it. */
const DEFAULT_FOUND = 25

/** `_find`: the documents that a selector chooses; `undefined` for a selector that is not known. */
export function listFound(all: readonly StoredDocument[], given: Body, known: Learned): unknown {
  const { selector, fields, sort } = given
  const filter = readJsonFilter(JSON.stringify(selector ?? {}))
  if (filter === undefined) return undefined
  const living = all.filter(({ isDeleted, id }) => !isDeleted && !id.startsWith('_design/'))
  const order = (Array.isArray(sort) ? (sort as unknown[]) : []).map((each): [string, boolean] => {
    const [name = '', direction] = isObject(each) ? (Object.entries(each)[0] ?? []) : [String(each)]
    return [name, direction === 'desc']
  })
  const found = living
    .map((each) => shownDocument(each, known))
    .filter((document) => filter.passes((field) => memberAt(document, field.split('.'))))
    .toSorted((a, b) => {
      for (const [name, isDescending] of order) {
        const path = name.split('.')
        const by = compareValues(memberAt(a, path), memberAt(b, path))
        if (by !== 0) return isDescending ? -by : by
      }
      return compareValues(a['_id'], b['_id'])
    })
  const docs = partOf(found, { limit: DEFAULT_FOUND, ...given })
  return {
    docs: Array.isArray(fields) ? docs.map((each) => onlyFields(each, fields.map(String))) : docs,
    ...known.found,
  }
}

function onlyFields(document: Body, fields: readonly string[]): Body {
  const shown: Record<string, unknown> = {}
  for (const field of fields) {
    const path = field.split('.')
    const value = memberAt(document, path)
    if (value === undefined) continue
    let at = shown
    for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>
    at[path.at(-1) ?? ''] = value
  }
  return shown
}

/** `_bulk_get`: revisions of documents. */
export function bulkGet(store: Store, database: string, { docs }: Body, known: Learned): unknown {
  if (!Array.isArray(docs)) return undefined
  const results = docs.filter(isObject).map(({ id, rev }) => {
    const named = { id: String(id), rev: typeof rev === 'string' ? rev : undefined }
    try {
      const found = findDocument(store, database, named.id, named.rev)
      return { id, docs: [{ ok: shownDocument(found, known, { revs: 'true' }) }] }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { id, docs: [{ error: { ...named, error: 'not_found', reason: error.reason } }] }
    }
  })
  return { results }
}

/** `_revs_diff`: which of the named revisions are not known. */
export function missingRevisions(all: readonly StoredDocument[], wanted: Body): Body {
  const entries = Object.entries(wanted).flatMap(([id, revs]) => {
    const found = all.find((each) => each.id === id)
    const known = found === undefined ? [] : [found.rev, ...found.past.map(([rev]) => rev)]
    const missing = [revs].flat().filter((rev) => !known.includes(String(rev)))
    return missing.length === 0 ? [] : [[id, { missing }] as const]
  })
  return Object.fromEntries(entries)
}
