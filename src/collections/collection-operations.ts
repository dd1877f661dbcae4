import { outputKind } from '../engine/output.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { InputInvalid, ItemExists, ItemNotFound, StoreFull } from '../errors.ts'
import type { Change, Found, Item, SingleChange, StoredItem } from '../state/store.ts'
import {
  createItem,
  outcome,
  type CompileOperation,
  type ItemContext,
  type ItemRequest,
  type StoredOperation,
} from './item-operations.ts'
import type { Outcome } from './outcome.ts'
import { createSelect } from './select-items.ts'

/** What operations on all items of a collection have of their route. */
interface CollectionRoute {
  /** The names that lead to the list in bodies. */
  readonly body: readonly string[]
  /** Whether answers are a list, which then has the items. */
  readonly isList: boolean
}

/** What the requests of a route do with all of a collection, where its `item` option says so. */
export function operationOnAll(route: RouteDefinition): CompileOperation | undefined {
  const { item, output } = route.options
  const { method } = route
  if (method === 'GET' && item?.first === true) return showFirst(createSelect(route))
  const kind = outputKind(output)
  const all = { body: readPointer(item?.body ?? ''), isList: kind !== 'single' && kind !== 'none' }
  if (method === 'DELETE' && item?.does === 'remove') return removeAll(all)
  if (method === 'PUT' && item?.does === 'replace') return (context) => makeEach(context, all, true)
  const makes = method === 'POST' && item?.does === 'create' && all.isList
  return makes ? (context) => makeEach(context, all, false) : undefined
}

function showFirst(selectOf: ReturnType<typeof createSelect>): CompileOperation {
  return (context) => ({
    maxItems: context.maxItems,
    need: () => ({ kind: 'all' }),
    decide(request, found) {
      const selected = selectOf(request.input, request.request)?.(found)
      const [item] = selected?.items ?? found.items
      if (item === undefined) throw new ItemNotFound()
      return outcome(context, context.form.show(item, request, ''))
    },
  })
}

// Answers are what is gone.
function removeAll(route: CollectionRoute): CompileOperation {
  return (context) => ({
    maxItems: context.maxItems,
    need: () => ({ kind: 'all' }),
    decide(request, found) {
      const change = { kind: 'several', changes: [], empties: true } as const
      return shownAll(context, route, request, found.items, change)
    },
  })
}

// Makes an item of each entry of the list that is sent.
function makeEach(context: ItemContext, route: CollectionRoute, empties: boolean): StoredOperation {
  const create = createItem(context)
  return {
    maxItems: context.maxItems,
    need: () => ({ kind: 'all' }),
    decide(request, found) {
      const changes: Extract<SingleChange, { kind: 'add' }>[] = []
      const taken = new Set<string>()
      const around: Found = {
        get assigned() {
          return (changes.at(-1)?.ordinal ?? found.assigned - 1) + 1
        },
        ...{ size: found.size, item: undefined, items: empties ? [] : found.items },
        page: (offset, limit) => found.page(offset, limit),
        some: (key, test) => !empties && found.some(key, test),
        isTaken: (id) => taken.has(id) || (!empties && found.isTaken(id)),
      }
      for (const entry of entriesIn(request, route)) {
        const { change } = create.decide(requestOf(request, entry, route), around)
        if (change?.kind !== 'add') continue
        // Nothing is stored where one of them cannot be.
        if (around.isTaken(change.id)) throw new ItemExists(request.path, change.id)
        changes.push(change)
        taken.add(change.id)
      }
      if (changes.length + (empties ? 0 : found.size) > context.maxItems)
        throw new StoreFull(request.path, context.maxItems)
      const items = changes.map(({ item }) => item)
      return shownAll(context, route, request, items, { kind: 'several', changes, empties })
    },
  }
}

function entriesIn({ request }: ItemRequest, { body }: CollectionRoute): readonly Item[] {
  const list = memberAt(request.body, body)
  if (Array.isArray(list) && list.every((entry): entry is Item => isObject(entry))) return list
  const msg = 'Value must be a list of objects'
  throw new InputInvalid([{ type: 'list_type', loc: ['body', ...body], msg, input: list }])
}

// As if the entry were all that is sent.
function requestOf(own: ItemRequest, entry: Item, { body }: CollectionRoute): ItemRequest {
  const sent = body.length === 0 ? entry : withMember({}, body, entry)
  const { method, scheme, host, prefix, path, search, headers, moment } = own.request
  const request = {
    ...{ method, scheme, host, path, search, headers, body: sent },
    ...(prefix !== undefined && { prefix }),
    ...(moment !== undefined && { moment }),
  }
  return { ...own, request, input: { ...own.params, ...sent } }
}

function shownAll(
  context: ItemContext,
  { isList }: CollectionRoute,
  request: ItemRequest,
  items: readonly StoredItem[],
  change: Change,
): Outcome {
  const { form } = context
  if (!isList) return outcome(context, form.showRemoved({}, request), change)
  const listed = form.list(request, foundOf(items))
  form.validate?.(listed.body)
  return { body: listed.body, headers: listed.headers, facts: listed.facts, change }
}

function foundOf(items: readonly StoredItem[]): Found {
  return {
    ...{ assigned: 0, size: items.length, item: undefined, items },
    page: (offset, limit) => items.slice(offset, offset + limit),
    some: (_key, test) => items.some(({ value }) => test(value)),
    isTaken: () => false,
  }
}
