import type { Seed } from '../engine/random.ts'
import type { EntryOption } from '../engine/route-options.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemExists, ItemNotFound } from '../errors.ts'
import { type Item, StoredItem } from '../state/store.ts'
import { createIds } from './ids.ts'
import { findItem, outcome, type CompileOperation } from './item-operations.ts'
import { isFrom, withRepeatsInLists } from './particular-fields.ts'

/** What of a request says which entry it is about, and what becomes of that. */
interface EntryRequest {
  readonly body?: unknown
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>
  /** What a new entry has of items that the body names. */
  readonly refers?: Item | undefined
  /** The key of a new entry, where entries have one that is made for them. */
  readonly assign?: ((entries: readonly unknown[]) => unknown) | undefined
}

/** What the entries of a list are after a request; `undefined` where none of them is the one that it names. */
type EntryChange = (entries: readonly unknown[], request: EntryRequest) => readonly unknown[] | undefined

/** Makes what adds an entry to a list (POST), replaces one (PUT), changes one (PATCH), or removes one (DELETE). */
export function createEntryChange(method: string, option: Omit<EntryOption, 'list'>): EntryChange {
  const { body = '', index, by = '', key, value, refuses = false } = option
  const bodyPath = readPointer(body)
  const indexPath = index === undefined ? undefined : readPointer(index)
  const keyPath = key === undefined ? undefined : readPointer(key)
  if (value !== undefined)
    return (entries, { params }) => {
      const name = params[by] ?? ''
      const others = entries.filter((entry) => String(entry) !== name)
      const isMissing = others.length === entries.length
      if (method === 'DELETE') return isMissing && refuses ? undefined : others
      return !isMissing ? entries : [...entries, value === 'number' ? Number(name) : name]
    }
  return (entries, request) => {
    const sent = memberAt(request.body, bodyPath)
    if (method === 'POST') {
      const said = indexPath && memberAt(request.body, indexPath)
      const at = typeof said === 'number' ? said : entries.length
      return (
        addedAgain(entries, sent, option) ??
        entries.toSpliced(at, 0, newEntry(entries, request, sent, option))
      )
    }
    if (method === 'PUT' && by === '') return Array.isArray(sent) ? sent : undefined
    const name = request.params[by]
    const at = entries.findIndex(
      (entry, place) => String(keyPath === undefined ? place : memberAt(entry, keyPath)) === name,
    )
    if (at < 0) return undefined
    if (method === 'DELETE') return entries.toSpliced(at, 1)
    const before = entries[at]
    const isChanged = method === 'PATCH' && isObject(before) && isObject(sent)
    return entries.toSpliced(at, 1, isChanged ? { ...before, ...sent } : sent)
  }
}

// The list with more of the entry that has the same name.
function addedAgain(
  entries: readonly unknown[],
  sent: unknown,
  { same }: Omit<EntryOption, 'list'>,
): readonly unknown[] | undefined {
  if (same === undefined || !isObject(sent)) return undefined
  const at = entries.findIndex((entry) => isObject(entry) && entry[same.by] === sent[same.by])
  const before = entries[at]
  const [number, more] = isObject(before) ? [before[same.adds], sent[same.adds]] : []
  return typeof number === 'number' && typeof more === 'number'
    ? entries.toSpliced(at, 1, { ...(before as Item), [same.adds]: number + more })
    : undefined
}

function newEntry(
  entries: readonly unknown[],
  { refers, assign }: EntryRequest,
  sent: unknown,
  { key = '/id', ids, begins }: Omit<EntryOption, 'list'>,
): unknown {
  if (!isObject(sent)) return sent
  const made = { ...begins, ...sent, ...refers }
  return ids === undefined || assign === undefined
    ? made
    : { ...withMember({}, readPointer(key), assign(entries)), ...made }
}

/** Adds, replaces, changes or removes an entry of a list that an item has. @throws ItemNotFound where there is no such entry */
export function changeEntry(method: string, { list, ...option }: EntryOption): CompileOperation {
  const listPath = readPointer(list)
  const change = createEntryChange(method, option)
  return (context) => {
    const keysOf = createKeys(option, context)
    return {
      maxItems: context.maxItems,
      need: ({ id }) => ({ kind: 'item', id }),
      decide(request, found) {
        const { value: stored } = findItem(context, request, found)
        if (!isFrom(stored, context.form))
          throw new ItemExists(request.path, request.id, undefined, { item: stored, reason: 'state' })
        const known = memberAt(stored, listPath)
        const entries: readonly unknown[] = Array.isArray(known) ? known : []
        const { params, refers, path, id } = request
        const assign = keysOf?.(`${path}/${id}${list}`)
        const after = change(entries, { body: request.request.body, params, refers, assign })
        if (after === undefined) throw new ItemNotFound()
        const value = withMember(stored, listPath, after)
        const item = new StoredItem(withRepeatsInLists(value, id, context.form))
        return outcome(context, context.form.show(item, request, id), { kind: 'replace', id, item })
      },
    }
  }
}

/** The keys of new entries of the list at a path. */
function createKeys(
  { ids, key = '/id' }: Omit<EntryOption, 'list'>,
  { seed }: { readonly seed?: Seed | undefined },
): ((path: string) => (entries: readonly unknown[]) => unknown) | undefined {
  if (ids === undefined) return undefined
  const keyPath = readPointer(key)
  const type = ids === 'number' ? 'integer' : 'string'
  const assignId = createIds({ type }, seed ?? 0, ids === 'number' || ids === 'uuid' ? undefined : ids)
  return (path) => (entries) => {
    const taken = new Set(entries.map((entry) => String(memberAt(entry, keyPath))))
    return assignId(path, entries.length, (id) => taken.has(id)).value
  }
}
