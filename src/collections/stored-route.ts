import type { Output } from '../engine/generate-output.ts'
import { rangeOf } from '../engine/list-range.ts'
import { itemModelOf, outputKind } from '../engine/output.ts'
import type { Seed } from '../engine/random.ts'
import { kindOf, requiredOf } from '../engine/schema/keywords.ts'
import { linksOf } from '../engine/schema/linked.ts'
import { flatten } from '../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  LINK,
  propertiesOf,
  setEntry,
  type Entries,
} from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import { isStateful, type Match, type RouteDefinition } from '../engine/route.ts'
import type { Item, Need, Store, StoredItem } from '../state/store.ts'
import type { Input } from '../engine/input.ts'
import { createSelect, createShow } from './select-items.ts'
import { addressOf, isOfCollection, type Address } from './address.ts'
import { createIdReader, createIds } from './ids.ts'
import {
  createItem,
  exchangeItem,
  listItems,
  overlayItem,
  removeItem,
  replaceItem,
  ShownText,
  showItem,
  type CompileOperation,
  type ItemForm,
  type Outcome,
} from './item-operations.ts'
import type { PagedOutput } from './paging/paged-output.ts'
import { listedFrom } from './paging/pager.ts'

/** Answers the requests of one route from the store. */
export type StoredRoute = (request: HttpRequest, match: Match, input: Input, store: Store) => Outcome

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
}

/** Compiles a declared route's operation on stored items; `undefined` where it has none, such as a single GET. */
export function compileStoredRoute(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  outputs: Outputs,
  { maxItems, verboseErrors, seed }: StoredOptions,
): StoredRoute | undefined {
  const address = addressOf(route, routes)
  const compile = operationOf(route, address)
  if (compile === undefined) return undefined
  const operation = compile({
    form: createForm(route, address, outputs),
    address,
    assignId: createIds(address.idSchema, seed),
    readId: createIdReader(address),
    maxItems,
    verboseErrors,
  })
  return (request, { params }, input, store) => {
    const path = address.collection(params)
    return store.collection(path).run(operation, { request, params, input, path, id: address.id(params) })
  }
}

function operationOf(route: RouteDefinition, { kind }: Address): CompileOperation | undefined {
  const { method, options } = route
  const isChange = options.mustExist === true && kind === 'item'
  if (method === 'DELETE') return kind === 'item' ? removeItem : undefined
  const output = outputKind(options.output)
  if (output === 'none') return undefined
  if (output !== 'single') return method === 'GET' && kind === 'collection' ? listItems : undefined
  if (isChange && (method === 'PUT' || method === 'POST'))
    return method === 'PUT' ? exchangeItem : overlayItem
  return OPERATIONS[`${method} ${kind}`]
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

// The model and its links say how an item is made, and an item is its own answer.
function createForm(route: RouteDefinition, address: Address, outputs: Outputs): ItemForm {
  const { output, validate } = outputs
  const { fields, spare } = fieldsOf(route)
  const hasRemovedBody = answersRemoval(route)
  const { keepsSent = false } = route.options
  return {
    make({ request, input }, given) {
      const made = output.generateOne(request, input, given)
      if (!keepsSent) return made
      const needed = Object.entries(made).filter(([name]) => !spare.has(name))
      return { ...Object.fromEntries(needed), ...sentIn(request), ...given }
    },
    write:
      !keepsSent && keepsGivenId(route, address)
        ? ({ request, input }, given) => output.writeOne(request, input, given)
        : undefined,
    change({ request, params, input }, stored, kept) {
      // Defaults of the input model are not what the request supplied.
      const sent = sentIn(request)
      if (keepsSent) return { ...stored, ...sent, ...kept }
      const overlay: Entries = {}
      const given: Entries = { ...stored }
      for (const name of Object.keys(input)) {
        if (!Object.hasOwn(sent, name) && !Object.hasOwn(params, name)) continue
        setEntry(overlay, name, input[name])
        if (Object.hasOwn(stored, name) || spare.has(name)) setEntry(given, name, input[name])
      }
      for (const name of Object.keys(kept)) setEntry(given, name, kept[name])
      const item = output.generateOne(request, overlay, given)
      // A change makes up nothing that the item can do without.
      const isMadeUp = (name: string): boolean => spare.has(name) && !Object.hasOwn(given, name)
      if (!Object.keys(item).some(isMadeUp)) return item
      return Object.fromEntries(Object.entries(item).filter(([name]) => !isMadeUp(name)))
    },
    show: (item) => new ShownText(item.text, () => item.value),
    showRemoved(item, { request, input }) {
      if (!hasRemovedBody) return { body: undefined }
      const named = Object.entries(item).filter(([name]) => fields.has(name))
      return { body: output.generateOne(request, input, Object.fromEntries(named)) }
    },
    ...listForm(route, outputs),
    validate,
  }
}

const NOTHING: Item = {}

function sentIn({ body }: HttpRequest): Item {
  return isObject(body) ? body : NOTHING
}

// No link gives the id another value, and the model is an object without alternatives, some of which may lack it.
function keepsGivenId({ options: { output } }: RouteDefinition, { idField }: Address): boolean {
  const model = itemModelOf(output ?? {})
  const resolve = createResolver(model)
  const flat = flatten(model, resolve)
  if (kindOf(flat) !== 'object' || CHOICES.some((keyword) => keyword in flat)) return false
  if (linksOf(model, resolve).length > 0) return false
  const id = propertiesOf(flat).find(([name]) => name === idField)?.[1]
  return idField === undefined || (id !== undefined && linksOf(id, resolve).length === 0)
}

const CHOICES = ['anyOf', 'oneOf', 'if', 'const', 'enum']

// The usual 204 has no body; another status says that there is one.
function answersRemoval({ options: { status = 204, output } }: RouteDefinition): boolean {
  return ![204, 205, 304].includes(status) && outputKind(output) === 'single'
}

/** The fields of an item, and those it may lack that no link gives. */
function fieldsOf({ options: { output } }: RouteDefinition): Record<'fields' | 'spare', ReadonlySet<string>> {
  const model = itemModelOf(output ?? {})
  const flat = flatten(model, createResolver(model))
  const [properties, required] = [propertiesOf(flat), requiredOf(flat)]
  const spare = properties.filter(
    ([name, field]) => !required.includes(name) && !(isObject(field) && LINK in field),
  )
  return {
    fields: new Set(properties.map(([name]) => name)),
    spare: new Set(spare.map(([name]) => name)),
  }
}

function listForm(route: RouteDefinition, { paged }: Outputs): Pick<ItemForm, 'need' | 'list'> {
  const kind = outputKind(route.options.output)
  const selectOf = createSelect(route)
  const show = createShow(route)
  const isWhole = route.options.select?.whole === true
  return {
    need({ input, request }): Need {
      if (isWhole || selectOf(input, request) !== undefined) return ALL
      if (paged !== undefined) return paged.need(input)
      if (kind !== 'page') return ALL
      const { limit, offset } = rangeOf(input, Infinity)
      return { kind: 'page', offset, limit }
    },
    list({ request, input }, { items: found, size }) {
      const select = selectOf(input, request)
      const selected = select?.(found) ?? { items: found, total: size, isPart: false }
      const { total, isPart } = selected
      const items = show(selected.items)
      if (paged !== undefined) {
        const start = isWhole || select !== undefined ? ALL : paged.need(input)
        const isAll = isPart || (isWhole && !paged.asks(request))
        return paged.pageOf(request, input, listedFrom(items, total, start, isAll))
      }
      if (kind !== 'page') {
        const list = textOf(items)
        if (kind === 'list') return new ShownText(list, () => valuesOf(items))
        const text = `{"items":${list},"next_page_token":null}`
        return new ShownText(text, () => ({ items: valuesOf(items), next_page_token: null }))
      }
      const { limit, offset, count } = rangeOf(input, total)
      const page = select === undefined ? items : items.slice(offset, offset + count)
      const text = `{"items":${textOf(page)},"total":${total},"limit":${limit},"offset":${offset}}`
      return new ShownText(text, () => ({ items: valuesOf(page), total, limit, offset }))
    },
  }
}

const ALL: Need = { kind: 'all' }

function valuesOf(items: readonly StoredItem[]): readonly Item[] {
  return items.map(({ value }) => value)
}

function textOf(items: readonly StoredItem[]): string {
  let text = '['
  for (let index = 0; index < items.length; index++)
    text += index === 0 ? (items[index] as StoredItem).text : `,${(items[index] as StoredItem).text}`
  return `${text}]`
}
