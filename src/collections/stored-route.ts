import type { Output } from '../engine/generate-output.ts'
import { outputKind } from '../engine/output.ts'
import type { Seed } from '../engine/random.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { DEEDS } from '../engine/route-options.ts'
import { isStateful, type Match, type RouteDefinition } from '../engine/route.ts'
import type { Store } from '../state/store.ts'
import type { Input } from '../engine/input.ts'
import { createShowNamed } from './select-items.ts'
import { addressOf, isOfCollection, type Address } from './address.ts'
import { operationOnAll } from './collection-operations.ts'
import { changeEntry } from './entry-operation.ts'
import { createItemForm } from './item-form.ts'
import { withVersion } from './item-versions.ts'
import { listForm, type Outputs } from './list-form.ts'
import { finderAt, findItemFirst } from './find-other.ts'
import { createNameItem } from './other-names.ts'
import { createEmbedded } from './embedded.ts'
import { createAffected } from './affected-items.ts'
import { createOnceForKey } from './idempotency.ts'
import { createIncluded } from './included.ts'
import { createHolders } from './held-items.ts'
import { createNeeds } from './needs.ts'
import { amongOthers } from './among-others.ts'
import { refuseTaken } from './particular-fields.ts'
import { createReferences } from './references.ts'
import { createIdReader, createIds } from './ids.ts'
import {
  createItem,
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
  type StoredOperation,
} from './item-operations.ts'
import type { Outcome } from './outcome.ts'

/** Answers the requests of one route from the store. */
export interface StoredRoute {
  (request: HttpRequest, match: Match, input: Input, store: Store): Outcome
  /** Looks whether the item is there, where that comes before what else the request says. @throws ItemNotFound */
  readonly find: ((request: HttpRequest, match: Match, store: Store) => void) | undefined
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
  const compile = isPart ? readItem : operationOf(route, address)
  const partOf = isPart ? createPart(route, outputs.output, part) : undefined
  if (compile === undefined) return undefined
  const context: ItemContext = {
    form: {
      ...withVersion(createItemForm(route, address, outputs.output, options), route),
      ...listForm(route, outputs),
      validate: outputs.validate,
    },
    address,
    assignId: createIds(address.idSchema, seed, route.options.item?.ids),
    readId: createIdReader(address),
    seed,
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
  const findNeeded = createNeeds(route, routes, context)
  const findHolders = createHolders(route, routes, context)
  const findOther = finderAt(route.options.item?.of, readItem, route, routes, context)
  const referencesOf = createReferences(route, routes, context)
  const includedIn = createIncluded(route, routes, context) ?? createEmbedded(route, routes, context)
  const affected = createAffected(route, routes)
  const onceForKey = createOnceForKey(route.options.item?.idempotent, maxItems)
  const isOfItem = address.kind === 'item' || route.method === 'POST'
  const showNamed = isOfItem ? createShowNamed(route) : undefined
  const answer =
    (operation: StoredOperation) =>
    (request: HttpRequest, match: Match, input: Input, store: Store): Outcome => {
      const { params } = match
      findParent?.(request, params, store)
      findNeeded?.(request, store)
      const path = address.collection(params)
      const collection = store.collection(path)
      const name = isNamed ? address.id(params) : idText(memberAt(request.body, idPlace) ?? '')
      const id = nameItem?.(collection, name) ?? name
      const other = findOther?.(request, params, store).body
      const about = {
        ...{ request, params, input, path, id },
        ...(isObject(other) && { other }),
        ...(referencesOf && { refers: referencesOf(request, params, store) }),
        ...(findHolders && { checkHolders: () => findHolders(request, params, id, store) }),
      }
      const run = (): Outcome => {
        affected?.check(params, store)
        const done = collection.run(operation, about)
        affected?.change(params, store)
        return done
      }
      const outcome = onceForKey === undefined ? run() : onceForKey(request, path, store, run)
      if (includedIn === undefined && showNamed === undefined && partOf === undefined) return outcome
      const { headers, facts, status } = outcome
      const whole = includedIn?.(outcome.body, request, store) ?? outcome.body
      if (partOf !== undefined) return { headers, facts, status, body: partOf(whole, request, input) }
      return { headers, facts, status, body: showNamed?.(whole, request) ?? whole, whole }
    }
  const look = finds(route, compile) ? answer(findItemFirst(context)) : undefined
  const { unique } = route.options.item ?? {}
  const isChange = unique !== undefined && address.kind === 'item' && /^(PUT|PATCH)$/.test(route.method)
  const operation = compile(context)
  const checked = isChange
    ? amongOthers(operation, address.idPath ?? [], ({ path }, item, items) =>
        refuseTaken(path, item, { items }, context.form),
      )
    : operation
  return Object.assign(answer(checked), {
    find:
      look && ((request: HttpRequest, match: Match, store: Store) => void look(request, match, {}, store)),
  })
}

// Answers with what the item has at a place, which is within what is said of it.
function createPart(
  { options }: RouteDefinition,
  output: Output,
  part: string,
): (item: unknown, request: HttpRequest, input: Input) => unknown {
  const [place, answer] = [part, options.item?.answer ?? ''].map(readPointer) as [string[], string[]]
  return (item, request, input) => {
    const value = memberAt(item, place)
    if (value === undefined) throw new ItemNotFound()
    return answer.length === 0 ? value : withMember(output.generateOne(request, input, {}), answer, value)
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
  return routes.filter((each) => isOfCollection(each, route, routes) && makes(compileOf(each)))
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
