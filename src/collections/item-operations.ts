import type { Input } from '../engine/input.ts'
import type { Seed } from '../engine/random.ts'
import { withMember } from '../engine/schema/member.ts'
import type { ItemOption } from '../engine/route-options.ts'
import { setEntry, type Entries } from '../engine/schema/schema.ts'
import { InputInvalid, ItemInUse, ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import {
  StoredItem,
  type Change,
  type Found,
  type Item,
  type ItemOperation,
  type Need,
  type Store,
} from '../state/store.ts'
import type { Address } from './address.ts'
import { isBlank, type AssignedId, type AssignId } from './ids.ts'
import { ItemOutcome, type Outcome } from './outcome.ts'
import {
  type Following,
  isFrom,
  refuseChange,
  refuseTaken,
  withRepeats,
  withRepeatsInLists,
} from './particular-fields.ts'
import type { Shown } from './shown.ts'

/** One request to stored items. */
export interface ItemRequest {
  readonly request: HttpRequest
  readonly params: Readonly<Record<string, string>>
  readonly input: Input
  /** The collection's concrete path. */
  readonly path: string
  /** The id that the request's path ends in; empty for a collection's own route. */
  readonly id: string
  /** The item of another collection that is put there, members by ids that are sent, and what has to be there. */
  readonly other?: Item | undefined
  readonly refers?: Item | undefined
  readonly stored?: Item
  /** Throws what keeps the item from being removed. */
  readonly checkHolders?: (() => void) | undefined
  /** Where the items are that it refers to, where that matters. */
  readonly store?: Store | undefined
}

/** How a route's requests become items, and items its answers. */
export interface ItemForm extends Following, Pick<ItemOption, 'unique' | 'absent' | 'from' | 'least'> {
  /**
   * A whole item of what a request gives; `given` are the fields that are already known, such as the id.
   * @param ordinal how many ids were assigned before
   */
  make(request: ItemRequest, given: Item, ordinal: number): Entries
  /** The id that a request gives what it makes; absent where requests give none. */
  sentId?: ((request: ItemRequest) => unknown) | undefined
  /** The JSON text of what `make` makes; absent where its id may be another than the one that is given. */
  write?: ((request: ItemRequest, given: Item) => string) | undefined
  /** An item with the fields that a request supplies; those of `kept` stay. */
  change(request: ItemRequest, stored: Item, kept: Item): Entries
  /** The answer about an item. */
  show(item: StoredItem, request: ItemRequest, id: string): Shown
  /** The answer about an item that is no longer. */
  showRemoved(item: Item, request: ItemRequest): Shown
  /** The items that a list is made of. */
  need(request: ItemRequest): Need
  list(request: ItemRequest, found: Found): Outcome
  /** Headers of the answer to an item's creation. */
  created?(request: ItemRequest, id: string): Readonly<Record<string, string>>
  /** Throws what keeps an answer from being given, and its item from being stored. */
  validate?: ((body: unknown) => void) | undefined
  /** Values with which an item cannot be changed any more. */
  readonly once?: ItemOption['sets']
  /** The status of an answer about an item that was replaced. */
  readonly again?: number | undefined
  /** Whether what replaces an item keeps some of it. */
  readonly keepsReplaced?: boolean | undefined
  readonly otherwise?: ItemOption['otherwise']
}

/** What the operations on the items of one route have in common. */
export interface ItemContext {
  readonly form: ItemForm
  readonly address: Address
  readonly assignId: AssignId
  /** A path's id as the model's type; `undefined` when it cannot be one. */
  readonly readId: (text: string) => unknown
  readonly seed?: Seed | undefined
  readonly maxItems: number
  readonly verboseErrors: boolean
}

/** What the requests of one route do with stored items. */
export type StoredOperation = ItemOperation<ItemRequest, Outcome>

/** Makes an operation on the items of one route. */
export type CompileOperation = (context: ItemContext) => StoredOperation

/** Lists a collection's items. */
export const listItems: CompileOperation = ({ form, maxItems }) => ({
  maxItems,
  need: (request) => form.need(request),
  decide(request, found) {
    const listed = form.list(request, found)
    form.validate?.(listed.body)
    return listed
  },
})

/** Answers with one item. */
export const showItem: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: needItem,
  decide: (request, found) =>
    outcome(context, context.form.show(findItem(context, request, found), request, request.id)),
})

/** Gives an item as it is stored. @throws ItemNotFound */
export const readItem: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: needItem,
  decide: (request, found) => ({ body: findItem(context, request, found).value }),
})

/** Adds an item with an id of its own, or with that of the path. @throws InputInvalid */
export const createItem: CompileOperation = (context) => {
  const { address, form, assignId, maxItems } = context
  const { idField, idPath } = address
  const isNamed = address.kind === 'item'
  const make = (request: ItemRequest, given: Item, { value: id, ordinal }: AssignedId): StoredItem => {
    const value = form.make(request, given, ordinal)
    if (idField === undefined)
      return new StoredItem(idPath === undefined ? value : withMember(value, idPath, id))
    if (isBlank(value[idField])) setEntry(value, idField, id)
    return new StoredItem(withRepeats(value, id, form))
  }
  return {
    maxItems,
    need: () => (form.unique === undefined ? { kind: 'ordinal' } : { kind: 'all' }),
    decide(request, found) {
      const { assigned } = found
      const sent = isNamed ? pathId(context, request) : form.sentId?.(request)
      const id = isBlank(sent)
        ? assignId(request.path, assigned, (id) => found.isTaken(id))
        : { value: sent, ordinal: ordinalOf(sent, assigned, assignId) }
      const given: Item = idField === undefined ? {} : { [idField]: id.value }
      const item =
        form.write === undefined
          ? make(request, given, id)
          : new StoredItem(undefined, form.write(request, given))
      refuseTaken(request.path, item, found, form)
      // Links may give the field another id.
      const hasGivenId = idField === undefined || form.write !== undefined
      const text = isNamed ? request.id : idText(hasGivenId ? id.value : item.value[idField])
      const shown = form.show(item, request, text)
      const change: Change = { kind: 'add', id: text, item, ordinal: id.ordinal }
      return outcome(context, shown, change, form.created?.(request, text))
    },
  }
}

// Numbers go on after one that was given.
function ordinalOf(id: unknown, assigned: number, { ordinalOf: own }: AssignId): number {
  return own !== undefined && Number.isSafeInteger(id) ? Math.max(assigned, own(id as number)) : assigned
}

/** Puts an item in the place that the path names, be there one or not. @throws InputInvalid */
export const replaceItem: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: (request) =>
    context.form.again === undefined && context.form.keepsReplaced !== true ? NOTHING : needItem(request),
  decide(own, { assigned, item: before }) {
    const { address, form } = context
    const request = form.keepsReplaced === true && before ? { ...own, stored: before.value } : own
    const { idField } = address
    const given: Item = idField === undefined ? {} : { [idField]: pathId(context, request) }
    const value = withPathId(context, request, form.make(request, given, assigned))
    keep(value, given)
    const item = new StoredItem(withRepeats(value, request.id, form))
    const status = before === undefined ? undefined : form.again
    const shown = form.show(item, request, request.id)
    return outcome(context, shown, { kind: 'put', id: request.id, item }, undefined, status)
  },
})

/** Replaces an item that is there; what requests do not send of it stays. @throws ItemNotFound */
export const replaceStoredItem: CompileOperation = (context) => {
  const replace = replaceItem(context)
  return {
    maxItems: context.maxItems,
    need: needItem,
    decide(request, found) {
      const stored = findItem(context, request, found)
      return replace.decide({ ...request, stored: stored.value }, found)
    },
  }
}

/** Lays what the request supplies over an item. @throws ItemNotFound, ItemExists where that was done once for all */
export const overlayItem: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: needItem,
  decide(request, found) {
    const { address, form } = context
    const { idField } = address
    const { value: stored } = findItem(context, request, found)
    const kept: Item = idField === undefined ? {} : { [idField]: stored[idField] }
    const value = withPathId(context, request, form.change(request, stored, kept))
    keep(value, kept)
    refuseChange(request, stored, value, form)
    const item = new StoredItem(withRepeatsInLists(value, request.id, form))
    const kind = found.item === undefined ? 'put' : 'replace'
    return outcome(context, form.show(item, request, request.id), { kind, id: request.id, item })
  },
})

/** Overlays an item that is there, and creates one that is not. */
export const overlayOrCreateItem: CompileOperation = (context) => {
  const [overlay, create] = [overlayItem(context), createItem(context)]
  return {
    maxItems: context.maxItems,
    need: needItem,
    decide: (request, found) => (found.item === undefined ? create : overlay).decide(request, found),
  }
}

/** Removes an item. @throws ItemNotFound */
export const removeItem: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: needItem,
  decide(request, found) {
    const { form } = context
    if (found.item === undefined && form.absent !== undefined)
      return outcome(context, { body: form.absent.body }, undefined, undefined, form.absent.status)
    const item = findItem(context, request, found)
    if (!isFrom(item.value, form)) throw new ItemInUse(`${request.id} is in a state in which it stays`)
    request.checkHolders?.()
    return outcome(context, form.showRemoved(item.value, request), { kind: 'remove', id: request.id })
  },
})

const NOTHING: Need = { kind: 'nothing' }

const needItem = ({ id }: ItemRequest): Need => ({ kind: 'item', id })

/** What a request comes to: nothing is stored of which no good answer could be given. */
export function outcome(
  { form }: ItemContext,
  shown: Shown,
  change?: Change,
  headers?: Readonly<Record<string, string>>,
  status?: number,
): Outcome {
  form.validate?.(shown.body)
  return new ItemOutcome(shown, change, headers, status)
}

/** The item that a request is about. @throws ItemNotFound */
export function findItem(
  { address, form, verboseErrors }: ItemContext,
  { id, path }: ItemRequest,
  { item }: Found,
): StoredItem {
  const own = item ?? (form.otherwise && new StoredItem(form.otherwise))
  if (own !== undefined) return own
  const where = { collection: path, id_field: idNameOf(address), id_value: id }
  throw new ItemNotFound(verboseErrors ? where : undefined)
}

function pathId({ address, readId }: ItemContext, { id: text }: ItemRequest): unknown {
  const id = readId(text)
  if (id !== undefined) return id
  const msg = `Value does not fit the id field '${idNameOf(address)}'`
  throw new InputInvalid([{ type: 'id_type', loc: ['path', address.parameter ?? 'id'], msg, input: text }])
}

const idNameOf = ({ idPath }: Address): string => idPath?.join('.') ?? 'id'

function keep(value: Entries, kept: Item): void {
  for (const name in kept) if (value[name] !== kept[name]) setEntry(value, name, kept[name])
}

// An id that lies deeper is put where it belongs once the rest is there.
function withPathId(context: ItemContext, request: ItemRequest, value: Entries): Entries {
  const { idPath, idField } = context.address
  const isDeep = idPath !== undefined && idField === undefined
  return isDeep ? withMember(value, idPath, pathId(context, request)) : value
}

/** An id as a path and the store write it. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : JSON.stringify(id)
}
