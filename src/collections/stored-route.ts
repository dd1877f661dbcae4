import type { Output } from '../engine/generate-output.ts'
import { rangeOf } from '../engine/list-range.ts'
import { outputKind } from '../engine/output.ts'
import type { Seed } from '../engine/random.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { DEEDS } from '../engine/route-options.ts'
import { isStateful, type Match, type RouteDefinition } from '../engine/route.ts'
import type { Found, Item, Need, Store, StoredItem } from '../state/store.ts'
import type { Input } from '../engine/input.ts'
import { createSelect, createShow } from './select-items.ts'
import { addressOf, isOfCollection, type Address } from './address.ts'
import { operationOnAll } from './collection-operations.ts'
import { changeEntry } from './entry-operation.ts'
import { createItemForm } from './item-form.ts'
import { finderAt } from './find-other.ts'
import { createNameItem } from './other-names.ts'
import { createEmbedded } from './embedded.ts'
import { createIncluded } from './included.ts'
import { createReferences } from './references.ts'
import { createIdReader, createIds } from './ids.ts'
import {
  createItem,
  findItemFirst,
  idText,
  listItems,
  overlayItem,
  readItem,
  removeItem,
  replaceItem,
  replaceStoredItem,
  showItem,
  type CompileOperation,
  type ItemContext,
  type ItemForm,
  type Outcome,
  type StoredOperation,
} from './item-operations.ts'
import type { PagedOutput } from './paging/paged-output.ts'
import { ShownText } from './shown.ts'
import { listedFrom } from './paging/pager.ts'

/** Answers the requests of one route from the store. */
export interface StoredRoute {
  (request: HttpRequest, match: Match, input: Input, store: Store): Outcome
  /** Looks whether the item is there, where that comes before what else the request says. @throws ItemNotFound */
  readonly find: ((request: HttpRequest, match: Match, store: Store) => void) | undefined
}

/** What the answers of a route are made by. */
export interface Outputs {
  readonly output: Output
  readonly paged: PagedOutput | undefined
  /** Throws what keeps an answer from being given. */
  readonly validate: ((body: unknown) => void) | undefined
}

/** What all stored routes share. */
export interface StoredOptions {
  readonly maxItems: number
  readonly verboseErrors: boolean
  readonly seed: Seed
  readonly seedDrawn: boolean
}

/** Compiles a declared route's operation on stored items; `undefined` where it has none, such as a single GET. */
export function compileStoredRoute(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  outputs: Outputs,
  options: StoredOptions,
): StoredRoute | undefined {
  const { maxItems, verboseErrors, seed } = options
  const address = addressOf(route, routes)
  const { part } = route.options.item ?? {}
  const isPart = part !== undefined && route.method === 'GET' && address.kind === 'item'
  const compile = isPart ? showPart(route, outputs.output, part) : operationOf(route, address)
  if (compile === undefined) return undefined
  const context: ItemContext = {
    form: {
      ...createItemForm(route, address, outputs.output, options),
      ...listForm(route, outputs),
      validate: outputs.validate,
    },
    address,
    assignId: createIds(address.idSchema, seed, route.options.item?.ids),
    readId: createIdReader(address),
    maxItems,
    verboseErrors,
  }
  const { also } = route.options.item ?? {}
  const nameItem = also === undefined ? undefined : createNameItem(also, address.idPath, maxItems)
  const isNamed = address.parameter === undefined || route.parameters.includes(address.parameter)
  const idPlace = isNamed
    ? []
    : [...readPointer(route.options.item?.body ?? ''), ...(address.idPath ?? ['id'])]
  const findParent = finderAt(route.options.item?.parent, findItemFirst, route, routes, context)
  const findOther = finderAt(route.options.item?.of, readItem, route, routes, context)
  const referencesOf = createReferences(route, routes, context)
  const includedIn = createIncluded(route, routes, context) ?? createEmbedded(route, routes, context)
  const answer =
    (operation: StoredOperation) =>
    (request: HttpRequest, match: Match, input: Input, store: Store): Outcome => {
      const { params } = match
      findParent?.(request, params, store)
      const path = address.collection(params)
      const collection = store.collection(path)
      const name = isNamed ? address.id(params) : idText(memberAt(request.body, idPlace) ?? '')
      const id = nameItem?.(collection, name) ?? name
      const other = findOther?.(request, params, store).body
      const about = {
        ...{ request, params, input, path, id },
        ...(isObject(other) && { other }),
        ...(referencesOf && { refers: referencesOf(request, store) }),
      }
      const outcome = collection.run(operation, about)
      if (includedIn === undefined) return outcome
      const { headers, facts, status } = outcome
      return { headers, facts, status, body: includedIn(outcome.body, request, store) }
    }
  const look = finds(route, compile) ? answer(findItemFirst(context)) : undefined
  return Object.assign(answer(compile(context)), {
    find:
      look && ((request: HttpRequest, match: Match, store: Store) => void look(request, match, {}, store)),
  })
}

// Answers with what the item has at a place, which is within what is said of it.
function showPart({ options }: RouteDefinition, output: Output, part: string): CompileOperation {
  const [place, answer] = [part, options.item?.answer ?? ''].map(readPointer) as [string[], string[]]
  return (context) => {
    const read = readItem(context)
    return {
      ...read,
      decide(about, found) {
        const value = memberAt(read.decide(about, found).body, place)
        if (value === undefined) throw new ItemNotFound()
        const { request, input } = about
        return {
          body:
            answer.length === 0 ? value : withMember(output.generateOne(request, input, {}), answer, value),
        }
      },
    }
  }
}

// What makes an item needs none.
function finds({ options: { item } }: RouteDefinition, compile: CompileOperation): boolean {
  return item?.finds === 'first' && (compile === overlayItem || compile === replaceStoredItem)
}

function operationOf(route: RouteDefinition, { kind }: Address): CompileOperation | undefined {
  const { method, options } = route
  const { does = method === 'DELETE' ? 'remove' : undefined, shown, counts } = options.item ?? {}
  if (counts !== undefined) return method === 'GET' && kind === 'collection' ? listItems : undefined
  const ofAll = kind === 'collection' ? operationOnAll(route) : undefined
  if (ofAll !== undefined) return ofAll
  const { entry } = options.item ?? {}
  if (entry !== undefined) return kind === 'item' ? changeEntry(method, entry) : undefined
  if (does === 'remove') return kind === 'item' ? removeItem : undefined
  if (shown === false) return kind === 'item' && does !== undefined ? BY_DEED[does] : undefined
  const { stores = options.item?.of } = options.item ?? {}
  const output = stores === undefined ? outputKind(options.output) : 'single'
  if (output === 'none') return method === 'HEAD' && kind === 'item' ? findItemFirst : undefined
  if (output !== 'single') return method === 'GET' && kind === 'collection' ? listItems : undefined
  const isSaid = does === 'create' || kind === 'item'
  return does !== undefined && isSaid ? BY_DEED[does] : OPERATIONS[`${method} ${kind}`]
}

/**
 * The declared routes whose requests make the stored items that a route shows or changes; none for any other route.
 * @param app whether the app is stateful
 */
export function makersOf(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  app: boolean,
): readonly RouteDefinition[] {
  const compileOf = (each: RouteDefinition): CompileOperation | undefined =>
    each.operation !== undefined || each.options.pageTable !== undefined || !isStateful(each, app)
      ? undefined
      : operationOf(each, addressOf(each, routes))
  const makes = (compile: CompileOperation | undefined): boolean =>
    compile === createItem || compile === replaceItem
  const own = compileOf(route)
  if (own === undefined || makes(own)) return []
  return routes.filter((each) => isOfCollection(each, route) && makes(compileOf(each)))
}

const OPERATIONS: Readonly<Record<string, CompileOperation>> = {
  'GET item': showItem,
  'POST collection': createItem,
  'POST item': createItem,
  'PUT item': replaceItem,
  'PATCH item': overlayItem,
}

const BY_DEED: Readonly<Record<(typeof DEEDS)[number], CompileOperation>> = {
  create: createItem,
  put: replaceItem,
  replace: replaceStoredItem,
  change: overlayItem,
  remove: removeItem,
}

function countForm(
  route: RouteDefinition,
  output: Output,
  at: readonly string[],
): Pick<ItemForm, 'need' | 'list'> {
  const selectOf = createSelect(route)
  return {
    need: ({ input, request }) => (selectOf(input, request) === undefined ? ONE : ALL),
    list({ request, input }, found) {
      const { total } = selectOf(input, request)?.(found) ?? { total: found.size }
      return { body: at.length === 0 ? total : withMember(output.generateOne(request, input, {}), at, total) }
    },
  }
}

function listForm(route: RouteDefinition, { output, paged }: Outputs): Pick<ItemForm, 'need' | 'list'> {
  const { counts } = route.options.item ?? {}
  if (counts !== undefined) return countForm(route, output, readPointer(counts))
  const kind = outputKind(route.options.output)
  const selectOf = createSelect(route)
  const show = createShow(route)
  const isWhole = route.options.select?.whole === true
  // What is needed where nothing is chosen.
  const needOf = (input: Input, request: HttpRequest): Need => {
    if (isWhole) return ALL
    if (paged !== undefined) return paged.need(input, request)
    if (kind !== 'page') return ALL
    const { limit, offset } = rangeOf(input, Infinity)
    return { kind: 'page', offset, limit }
  }
  return {
    need: ({ input, request }) => (selectOf(input, request) === undefined ? needOf(input, request) : ALL),
    list({ request, input }, found) {
      const selected = selectOf(input, request)?.(found)
      const { total, isPart, counted } = selected ?? { total: found.size, isPart: false }
      const start = selected === undefined ? needOf(input, request) : ALL
      const chosen = selected?.items ?? itemsIn(found, start)
      if (paged !== undefined) {
        const isAll = isPart || (isWhole && !paged.asks(request))
        return paged.pageOf(request, input, listedFrom(chosen, { total, counted, need: start, isAll, show }))
      }
      if (kind !== 'page') {
        const items = show(chosen)
        const list = textOf(items)
        if (kind === 'list') return new ShownText(list, () => valuesOf(items))
        const text = `{"items":${list},"next_page_token":null}`
        return new ShownText(text, () => ({ items: valuesOf(items), next_page_token: null }))
      }
      const { limit, offset, count } = rangeOf(input, total)
      const page = show(selected === undefined ? chosen : chosen.slice(offset, offset + count))
      const text = `{"items":${textOf(page)},"total":${total},"limit":${limit},"offset":${offset}}`
      return new ShownText(text, () => ({ items: valuesOf(page), total, limit, offset }))
    },
  }
}

const ALL: Need = { kind: 'all' }
/** How many there are is known by any of them. */
const ONE: Need = { kind: 'page', offset: 0, limit: 1 }

// All are needed where requests may choose from them, which not every one does.
function itemsIn(found: Found, need: Need): readonly StoredItem[] {
  return need.kind === 'page' ? found.page(need.offset, need.limit) : found.items
}

function valuesOf(items: readonly StoredItem[]): readonly Item[] {
  return items.map(({ value }) => value)
}

function textOf(items: readonly StoredItem[]): string {
  let text = '['
  for (let index = 0; index < items.length; index++)
    text += index === 0 ? (items[index] as StoredItem).text : `,${(items[index] as StoredItem).text}`
  return `${text}]`
}
