import type { EntryOption } from '../engine/route-options.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { ItemNotFound } from '../errors.ts'
import { StoredItem } from '../state/store.ts'
import { findItem, outcome, type CompileOperation, type ItemRequest } from './item-operations.ts'
import { withRepeatsInLists } from './particular-fields.ts'

/** Adds, replaces or removes an entry of a list that an item has. @throws ItemNotFound where there is no such entry */
export function changeEntry(
  method: string,
  { list, body = '', index, by = '', key }: EntryOption,
): CompileOperation {
  const [listPath, bodyPath, keyPath] = [list, body, key ?? ''].map(readPointer) as [
    string[],
    string[],
    string[],
  ]
  const placeIn = (entries: readonly unknown[], { request, params }: ItemRequest): number => {
    if (method === 'POST') {
      const said = index === undefined ? undefined : memberAt(request.body, readPointer(index))
      return typeof said === 'number' ? said : entries.length
    }
    const name = params[by]
    const at = entries.findIndex(
      (entry, place) => String(key === undefined ? place : memberAt(entry, keyPath)) === name,
    )
    if (at < 0) throw new ItemNotFound()
    return at
  }
  return (context) => ({
    maxItems: context.maxItems,
    need: ({ id }) => ({ kind: 'item', id }),
    decide(request, found) {
      const { value: stored } = findItem(context, request, found)
      const known = memberAt(stored, listPath)
      const entries: readonly unknown[] = Array.isArray(known) ? known : []
      const sent = method === 'DELETE' ? [] : [memberAt(request.request.body, bodyPath)]
      const after = entries.toSpliced(placeIn(entries, request), method === 'POST' ? 0 : 1, ...sent)
      const value = withMember(stored, listPath, after)
      const item = new StoredItem(withRepeatsInLists(value, request.id, context.form))
      const shown = context.form.show(item, request, request.id)
      return outcome(context, shown, { kind: 'replace', id: request.id, item })
    },
  })
}
