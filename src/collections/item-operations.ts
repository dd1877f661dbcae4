import { InputInvalid, ItemExists, ItemNotFound, StoreFull } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { Input } from '../engine/input.ts'
import type { Match } from '../engine/route.ts'
import type { PageFacts } from './paging/page-fields.ts'
import type { Address } from './address.ts'
import type { AssignId } from './ids.ts'
import type { Collection, Item } from '../state/store.ts'

/** What a stateful request comes to: a body, and what remains to be stored once the body is found good. */
export interface Outcome {
  /** `undefined` for an answer without a body. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What is true of a page. */
  readonly facts?: PageFacts
  readonly store?: () => void
}

/** One request to stored items. */
export interface ItemRequest {
  readonly call: HttpRequest
  readonly match: Match
  readonly input: Input
  readonly collection: Collection
  /** The collection's concrete path. */
  readonly path: string
}

/** How a route's requests become items, and items its answers. */
export interface ItemForm {
  /** A whole item of what a request gives; `given` are the fields that are already known, such as the id. */
  make(request: ItemRequest, given: Item): Record<string, unknown>
  /** An item with the fields that a request supplies; those of `kept` stay. */
  change(request: ItemRequest, stored: Item, kept: Item): Item
  /** The answer about an item. */
  show(item: Item, request: ItemRequest, id: string): unknown
  /** The answer about an item that is no longer. */
  showRemoved(item: Item, request: ItemRequest, id: string): unknown
  list(request: ItemRequest): Outcome
  /** Headers of the answer to an item's creation. */
  created?(request: ItemRequest, id: string): Readonly<Record<string, string>>
}

/** What the operations on the items of one route have in common. */
export interface ItemContext {
  readonly form: ItemForm
  readonly address: Address
  readonly assignId: AssignId
  /** A path's id as the model's type; `undefined` when it cannot be one. */
  readonly readId: (text: string) => unknown
  readonly maxItems: number
  readonly verboseErrors: boolean
}

/** What one kind of request does to stored items. */
export type ItemOperation = (context: ItemContext, request: ItemRequest) => Outcome

/** Lists a collection's items. */
export const listItems: ItemOperation = ({ form }, request) => form.list(request)

/** Answers with one item. */
export const showItem: ItemOperation = (context, request) => ({
  body: context.form.show(findItem(context, request), request, context.address.id(request.match.params)),
})

/** Adds an item with an id of its own, or with that of the path. @throws ItemExists, StoreFull */
export const createItem: ItemOperation = (context, request) => {
  const { address, form, assignId, maxItems } = context
  const { match, collection, path } = request
  const named = address.kind === 'item' ? pathId(context, request) : undefined
  const assigned = named ?? assignId(path, collection)
  const { idField } = address
  const item = form.make(request, idField === undefined ? {} : { [idField]: assigned })
  if (idField !== undefined && isBlank(item[idField])) item[idField] = assigned

  const id =
    address.kind === 'item'
      ? address.id(match.params)
      : idText(idField === undefined ? assigned : item[idField])
  if (collection.get(id) !== undefined) throw new ItemExists(path, id)
  if (collection.size >= maxItems) throw new StoreFull(path, maxItems)
  return {
    body: form.show(item, request, id),
    ...(form.created !== undefined && { headers: form.created(request, id) }),
    store() {
      collection.set(id, item)
      collection.assigned++
    },
  }
}

/** Puts an item in the place that the path names, be there one or not. @throws StoreFull */
export const replaceItem: ItemOperation = (context, request) => {
  const { match, collection, path } = request
  const { address, form, maxItems } = context
  const id = address.id(match.params)
  const given = address.idField === undefined ? {} : { [address.idField]: pathId(context, request) }
  if (collection.get(id) === undefined && collection.size >= maxItems) throw new StoreFull(path, maxItems)
  const item = { ...form.make(request, given), ...given }
  return { body: form.show(item, request, id), store: () => collection.set(id, item) }
}

/** Lays what the request supplies over an item. @throws ItemNotFound */
export const overlayItem: ItemOperation = (context, request) => {
  const { address, form } = context
  const stored = findItem(context, request)
  const id = address.id(request.match.params)
  const kept = address.idField === undefined ? {} : { [address.idField]: stored[address.idField] }
  const item = { ...form.change(request, stored, kept), ...kept }
  return { body: form.show(item, request, id), store: () => request.collection.set(id, item) }
}

/** Overlays an item that is there, and creates one that is not. */
export const overlayOrCreateItem: ItemOperation = (context, request) => {
  const isThere = request.collection.get(context.address.id(request.match.params)) !== undefined
  return (isThere ? overlayItem : createItem)(context, request)
}

/** Removes an item. @throws ItemNotFound */
export const removeItem: ItemOperation = (context, request) => {
  const item = findItem(context, request)
  const id = context.address.id(request.match.params)
  return {
    body: context.form.showRemoved(item, request, id),
    store: () => void request.collection.delete(id),
  }
}

function findItem({ address, verboseErrors }: ItemContext, { match, collection, path }: ItemRequest): Item {
  const id = address.id(match.params)
  const item = collection.get(id)
  if (item !== undefined) return item
  const where = { collection: path, id_field: address.idField ?? 'id', id_value: id }
  throw new ItemNotFound(verboseErrors ? where : undefined)
}

function pathId({ address, readId }: ItemContext, { match }: ItemRequest): unknown {
  const text = address.id(match.params)
  const id = readId(text)
  if (id !== undefined) return id
  const msg = `Value does not fit the id field '${address.idField ?? 'id'}'`
  throw new InputInvalid([{ type: 'id_type', loc: ['path', address.parameter ?? 'id'], msg, input: text }])
}

function isBlank(id: unknown): boolean {
  return id === undefined || id === null || id === ''
}

/** An id as a path and the store write it. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}
