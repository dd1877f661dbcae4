import { ItemExists, SeedInvalid, StoreFull } from '../errors.ts'
import { findInFixture, readFixture } from '../engine/fixtures/json-fixtures.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { createChecker } from '../engine/schema/checker.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { Seed } from '../engine/random.ts'
import { collectionPath, splitItemPath, withoutLastSlash } from '../routing/path-template.ts'
import { createRouter } from '../routing/router.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { addressOf, ONLY_ID } from './address.ts'
import { createIds } from './ids.ts'
import { createMakeUp } from './made-up-items.ts'
import { idText } from './item-operations.ts'
import type { Item, Store } from '../state/store.ts'

/** Where items are to be stored, and what bounds them. */
export interface SeedOptions {
  readonly store: Store
  readonly routes: readonly RouteDefinition[]
  readonly seed: Seed
  readonly maxItems: number
}

/** A list of items in a JSON file. */
export interface SeedFixture {
  readonly path: string
  /** Keys and list indexes joined by slashes that lead to the list. Default: the whole document. */
  readonly pointer?: string
  /** How many more items there are, before the one at an index: they are made up. */
  readonly unseen?: readonly (readonly [before: number, count: number])[]
}

/** The list that a fixture file holds; null stands for an item that is not in it. @throws SeedInvalid when it is missing or none */
export function readSeed({ path, pointer = '', unseen = [] }: SeedFixture, base: string): readonly unknown[] {
  const document = readFixture({ path, base })
  const found = 'miss' in document ? document : findInFixture(document.value, pointer)
  if ('miss' in found) throw new SeedInvalid(found.miss)
  if (Array.isArray(found.value)) return withUnseen(found.value, new Map(unseen))
  throw new SeedInvalid(`${path}: what lies at '${pointer}' is not a list`)
}

function withUnseen(list: readonly unknown[], unseen: ReadonlyMap<number, number>): readonly unknown[] {
  if (unseen.size === 0) return list
  const before = (index: number): readonly null[] => Array<null>(unseen.get(index) ?? 0).fill(null)
  return [...list.flatMap((item, index) => [...before(index), item]), ...before(list.length)]
}

/**
 * Stores items in a collection as if they had been created, all or none. Items without an id are given one; for null, one is made up.
 * @throws SeedInvalid when no route answers the path, or an item does not fit the model
 * @throws ItemExists when two items have one id, or an item's id is stored already
 */
export function seedCollection(path: string, items: readonly unknown[], options: SeedOptions): void {
  const { store, routes, seed, maxItems } = options
  const route = readerOf(path, routes)
  if (route === undefined)
    throw new SeedInvalid(
      `No route with an output model answers GET or POST ${path}, so nothing would read its items`,
    )
  const { idPath, idSchema, model, isOnly = false } = addressOf(route, routes)
  const checker = createChecker(model ?? {})
  const collection = store.collection(hostedPath(path, route.options.host))
  const assignId = createIds(idSchema, seed)
  if (collection.size + items.length > maxItems) throw new StoreFull(path, maxItems)

  const good = new Map<string, Item>()
  const isTaken = (id: string): boolean => good.has(id) || collection.get(id) !== undefined
  const given = new Set(
    items.map((item) => (idPath === undefined ? undefined : idText(memberAt(item, idPath)))),
  )
  const isTakenOrGiven = (id: string): boolean => isTaken(id) || given.has(id)
  const nextId = (): unknown => {
    const { value, ordinal } = assignId(path, collection.assigned, isTaken)
    collection.assigned = ordinal
    return value
  }
  // Ids that are assigned later count on as if there were none of these.
  const makeUp = createMakeUp(model ?? {}, items.filter(isObject), { path, route: route.key, seed, idPath })
  let madeUp = 0
  const unseenItem = (): Item => {
    const number = madeUp
    const { value, ordinal } = assignId(`unseen of ${path}`, number, isTakenOrGiven)
    madeUp = ordinal + 1
    const item = makeUp(number, value)
    return idPath === undefined ? item : withMember(item, idPath, value)
  }
  for (const [index, each] of items.entries()) {
    const item = each === null ? unseenItem() : each
    if (!isObject(item)) throw new SeedInvalid(`${path}: item ${index} must be an object`)
    const id = isOnly ? ONLY_ID : ((idPath && memberAt(item, idPath)) ?? nextId())
    const stored = idPath === undefined ? item : withMember(item, idPath, id)
    const [violation] = checker.check(stored)
    if (violation !== undefined) {
      throw new SeedInvalid(
        `${path}: item ${index}: ${violation.path.join('.') || 'it'}: ${violation.message}`,
      )
    }
    const key = idText(id)
    if (isTaken(key)) throw new ItemExists(path, key)
    good.set(key, stored)
  }
  for (const [key, item] of good) collection.set(key, item)
}

// The models of a description are made when they are first needed, and here only one is needed.
function showsItems({ operation, options }: RouteDefinition): boolean {
  return options.stateful !== false && (operation !== undefined || options.output !== undefined)
}

/** The route that would answer with the items of a collection, which is named by its path, after a host if it has one. */
export function readerOf(path: string, routes: readonly RouteDefinition[]): RouteDefinition | undefined {
  const [, host = '', rest = path] = /^([^/]+)(\/.*)$/.exec(path) ?? []
  const readers = routes.filter((route) => showsItems(route) && isOn(host, route.options.host))
  const answering = (method: 'GET' | 'POST'): RouteDefinition | undefined =>
    createRouter(readers.filter((route) => route.method === method)).match({ method, path: rest })?.route
  // What is made there may be answered by less than what is read by the route of its items.
  const items = readers.filter(({ method, path }) => method === 'GET' && splitItemPath(path) !== undefined)
  const above = items.map((route) => ({ ...route, path: collectionPath(route.path) }))
  const found = createRouter(above).match({ method: 'GET', path: rest })?.route
  return answering('GET') ?? items.find(({ key }) => key === found?.key) ?? answering('POST')
}

// A path without a host is the collection of whichever route has it.
function isOn(host: string, of: string | undefined): boolean {
  return host === '' || host === of
}

/** The name of a collection in the store: its path, after the host of its routes if they have one. */
export function hostedPath(path: string, host = ''): string {
  const own = withoutLastSlash(path)
  return own.startsWith('/') ? `${host}${own}` : own
}
