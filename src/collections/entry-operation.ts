import type { EntryOption } from '../engine/route-options.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { ItemNotFound } from '../errors.ts'
import { StoredItem } from '../state/store.ts'
import { findItem, outcome, type CompileOperation } from './item-operations.ts'
import { withRepeatsInLists } from './particular-fields.ts'

/** What of a request says which entry it is about, and what becomes of that. */
interface EntryRequest {
  readonly body?: unknown
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>
}

/** What the entries of a list are after a request; `undefined` where none of them is the one that it names. */
type EntryChange = (entries: readonly unknown[], request: EntryRequest) => readonly unknown[] | undefined

/** Makes what adds an entry to a list (POST), replaces one (PUT), or removes one (DELETE). */
export function createEntryChange(
  method: string,
  { body = '', index, by = '', key, value, refuses = false }: Omit<EntryOption, 'list'>,
): EntryChange {
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
      return entries.toSpliced(typeof said === 'number' ? said : entries.length, 0, sent)
    }
    if (method === 'PUT' && by === '') return Array.isArray(sent) ? sent : undefined
    const name = request.params[by]
    const at = entries.findIndex(
      (entry, place) => String(keyPath === undefined ? place : memberAt(entry, keyPath)) === name,
    )
    if (at < 0) return undefined
    return method === 'DELETE' ? entries.toSpliced(at, 1) : entries.toSpliced(at, 1, sent)
  }
}

/** Adds, replaces or removes an entry of a list that an item has. @throws ItemNotFound where there is no such entry */
export function changeEntry(method: string, { list, ...option }: EntryOption): CompileOperation {
  const listPath = readPointer(list)
  const change = createEntryChange(method, option)
  return (context) => ({
    maxItems: context.maxItems,
    need: ({ id }) => ({ kind: 'item', id }),
    decide(request, found) {
      const { value: stored } = findItem(context, request, found)
      const known = memberAt(stored, listPath)
      const entries: readonly unknown[] = Array.isArray(known) ? known : []
      const after = change(entries, { body: request.request.body, params: request.params })
      if (after === undefined) throw new ItemNotFound()
      const value = withMember(stored, listPath, after)
      const item = new StoredItem(withRepeatsInLists(value, request.id, context.form))
      const shown = context.form.show(item, request, request.id)
      return outcome(context, shown, { kind: 'replace', id: request.id, item })
    },
  })
}
