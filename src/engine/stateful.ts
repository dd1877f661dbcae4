import { InputInvalid, ItemExists, ItemNotFound, StoreFull } from '../sim-error.ts'
import type { Call } from './call.ts'
import type { Output } from './generate-output.ts'
import type { Input } from './input.ts'
import { createChecker } from './model/checker.ts'
import { coerceText } from './model/coerce.ts'
import { createResolver, isObject } from './model/schema.ts'
import { outputKind } from './output.ts'
import type { Seed } from './random.ts'
import type { Match } from './route-table.ts'
import type { Route } from './route.ts'
import { addressOf, type Address } from './store/address.ts'
import { createIds, type AssignId } from './store/ids.ts'
import type { Collection, Item, Store } from './store/store.ts'

/** What a stateful request comes to: a body, and what remains to be stored once the body is found good. */
export interface Outcome {
  /** `undefined` for an answer without a body. */
  readonly body: unknown
  readonly store?: () => void
}

/** Answers the requests of one route from the store. */
export type Stateful = (call: Call, match: Match, input: Input) => Outcome

/** What all stateful routes share. */
export interface StatefulOptions {
  readonly store: Store
  readonly maxItems: number
  readonly verboseErrors: boolean
  readonly seed: Seed
}

interface Context extends StatefulOptions {
  readonly route: Route
  readonly output: Output
  readonly address: Address
  readonly assignId: AssignId
  /** A path's id as the model's type; `undefined` when it cannot be one. */
  readonly readId: (text: string) => unknown
}

/** The stateful way of a route; `undefined` for one that does not speak of stored items, such as a single GET. */
export function createStateful(
  route: Route,
  routes: readonly Route[],
  output: Output,
  options: StatefulOptions,
): Stateful | undefined {
  const address = addressOf(route, routes)
  const kind = outputKind(route.options.output)
  const operation = OPERATIONS[`${route.method} ${address.kind}`]
  const isList = kind === 'list' || kind === 'page' || kind === 'slice'
  const speaksOfItems = isList ? route.method === 'GET' && address.kind === 'collection' : kind === 'single'
  const removes = route.method === 'DELETE' && address.kind === 'item'
  if (operation === undefined || (!speaksOfItems && !removes)) return undefined
  if (route.method === 'GET' && address.kind === 'collection' && !isList) return undefined

  const context: Context = {
    ...options,
    route,
    output,
    address,
    assignId: createIds(address.idSchema, options.seed),
    readId: idReader(address),
  }
  return (call, match, input) => {
    const collection = options.store.collection(address.collection(match.params))
    return operation(context, { call, match, input, collection, path: address.collection(match.params) })
  }
}

interface Request {
  readonly call: Call
  readonly match: Match
  readonly input: Input
  readonly collection: Collection
  readonly path: string
}

type Operation = (context: Context, request: Request) => Outcome

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET collection': listItems,
  'GET item': (context, request) => ({ body: findItem(context, request) }),
  'POST collection': createItem,
  'POST item': createItem,
  'PUT item': replaceItem,
  'PATCH item': overlayItem,
  'DELETE item': removeItem,
}

function listItems({ route, output }: Context, { input, collection }: Request): Outcome {
  const kind = outputKind(route.options.output)
  const filtered = route.options.filterBy !== undefined && input[route.options.filterBy] !== undefined
  if (kind === 'page' && !filtered) {
    return {
      body: output.paginate(input, collection.size, (offset, limit) => collection.page(offset, limit)),
    }
  }
  const items = [...output.keep(collection.items(), input)]
  if (kind === 'page') {
    return {
      body: output.paginate(input, items.length, (offset, limit) => items.slice(offset, offset + limit)),
    }
  }
  return { body: kind === 'slice' ? { items, next_page_token: null } : items }
}

function findItem({ address, verboseErrors }: Context, { match, collection, path }: Request): Item {
  const id = address.id(match.params)
  const item = collection.get(id)
  if (item !== undefined) return item
  const where = { collection: path, id_field: address.idField ?? 'id', id_value: id }
  throw new ItemNotFound(verboseErrors ? where : undefined)
}

function createItem(context: Context, request: Request): Outcome {
  const { address, output, assignId } = context
  const { call, match, input, collection, path } = request
  const named = address.kind === 'item' ? pathId(context, request) : undefined
  const assigned = named ?? assignId(path, collection)
  const { idField } = address
  const body = output.generateOne(call, input, idField === undefined ? {} : { [idField]: assigned })
  if (idField !== undefined && isBlank(body[idField])) body[idField] = assigned

  const id =
    address.kind === 'item'
      ? address.id(match.params)
      : idText(idField === undefined ? assigned : body[idField])
  if (collection.get(id) !== undefined) throw new ItemExists(path, id)
  if (collection.size >= context.maxItems) throw new StoreFull(path, context.maxItems)
  return {
    body,
    store() {
      collection.set(id, body)
      collection.assigned++
    },
  }
}

function replaceItem(context: Context, request: Request): Outcome {
  const { call, match, input, collection, path } = request
  const { address, output, maxItems } = context
  const id = address.id(match.params)
  const given = address.idField === undefined ? {} : { [address.idField]: pathId(context, request) }
  if (collection.get(id) === undefined && collection.size >= maxItems) throw new StoreFull(path, maxItems)
  const body = { ...output.generateOne(call, input, given), ...given }
  return { body, store: () => collection.set(id, body) }
}

function overlayItem(context: Context, request: Request): Outcome {
  const { call, match, input, collection } = request
  const { address, output } = context
  const stored = findItem(context, request)
  // Defaults of the input model are not what the request supplied.
  const supplied = new Set([
    ...Object.keys(isObject(call.body) ? call.body : {}),
    ...Object.keys(match.params),
  ])
  const overlay = Object.fromEntries(Object.entries(input).filter(([name]) => supplied.has(name)))
  const known = Object.entries(overlay).filter(([name]) => Object.hasOwn(stored, name))
  const id = address.idField === undefined ? {} : { [address.idField]: stored[address.idField] }
  const body = {
    ...output.generateOne(call, overlay, { ...stored, ...Object.fromEntries(known), ...id }),
    ...id,
  }
  return { body, store: () => collection.set(address.id(match.params), body) }
}

function removeItem(context: Context, request: Request): Outcome {
  findItem(context, request)
  return {
    body: undefined,
    store: () => void request.collection.delete(context.address.id(request.match.params)),
  }
}

function pathId({ address, readId }: Context, { match }: Request): unknown {
  const text = address.id(match.params)
  const id = readId(text)
  if (id !== undefined) return id
  const msg = `Value does not fit the id field '${address.idField ?? 'id'}'`
  throw new InputInvalid([{ type: 'id_type', loc: ['path', address.idField ?? 'id'], msg, input: text }])
}

function idReader({ idSchema, idField }: Address): (text: string) => unknown {
  if (typeof idSchema === 'boolean' || idField === undefined) return (text) => text
  const checker = createChecker(idSchema)
  const resolve = createResolver(idSchema)
  return (text) => {
    const id = coerceText(text, idSchema, resolve)
    return checker.fits(id) ? id : undefined
  }
}

function isBlank(id: unknown): boolean {
  return id === undefined || id === null || id === ''
}

function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}
