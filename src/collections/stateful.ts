import type { HttpRequest } from '../message.ts'
import type { Output } from '../engine/generate-output.ts'
import type { Input } from '../engine/input.ts'
import { requiredOf } from '../engine/schema/keywords.ts'
import { flatten } from '../engine/schema/merge.ts'
import { createResolver, isObject, LINK, propertiesOf } from '../engine/schema/schema.ts'
import { itemModelOf, outputKind } from '../engine/output.ts'
import type { Seed } from '../engine/random.ts'
import type { PagedOutput } from './paging/paged-output.ts'
import type { Match, RouteDefinition } from '../engine/route.ts'
import { addressOf } from './address.ts'
import { createIdReader, createIds } from './ids.ts'
import {
  createItem,
  listItems,
  overlayItem,
  removeItem,
  replaceItem,
  showItem,
  type ItemForm,
  type ItemOperation,
  type ItemRequest,
  type Outcome,
} from './item-operations.ts'
import type { Store } from '../state/store.ts'

/** Answers the requests of one route from the store. */
export type Stateful = (call: HttpRequest, match: Match, input: Input, store: Store) => Outcome

/** What the answers of a route are made by. */
export interface Outputs {
  readonly output: Output
  readonly paged: PagedOutput | undefined
}

/** What all stateful routes share. */
export interface StatefulOptions {
  readonly maxItems: number
  readonly verboseErrors: boolean
  readonly seed: Seed
}

/** The stateful way of a route; `undefined` for one that does not speak of stored items, such as a single GET. */
export function createStateful(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  outputs: Outputs,
  options: StatefulOptions,
): Stateful | undefined {
  const address = addressOf(route, routes)
  const kind = outputKind(route.options.output)
  const operation = OPERATIONS[`${route.method} ${address.kind}`]
  const isList = ['list', 'page', 'slice', 'paged'].includes(kind)
  const speaksOfItems = isList ? route.method === 'GET' && address.kind === 'collection' : kind === 'single'
  const removes = route.method === 'DELETE' && address.kind === 'item'
  if (operation === undefined || (!speaksOfItems && !removes)) return undefined
  if (route.method === 'GET' && address.kind === 'collection' && !isList) return undefined

  const { maxItems, verboseErrors } = options
  const context = {
    form: createForm(route, outputs),
    address,
    assignId: createIds(address.idSchema, options.seed),
    readId: createIdReader(address),
    maxItems,
    verboseErrors,
  }
  return (call, match, input, store) => {
    const path = address.collection(match.params)
    return operation(context, { call, match, input, collection: store.collection(path), path })
  }
}

const OPERATIONS: Readonly<Record<string, ItemOperation>> = {
  'GET collection': listItems,
  'GET item': showItem,
  'POST collection': createItem,
  'POST item': createItem,
  'PUT item': replaceItem,
  'PATCH item': overlayItem,
  'DELETE item': removeItem,
}

// The model and its links say how an item is made, and an item is its own answer.
function createForm(route: RouteDefinition, { output, paged }: Outputs): ItemForm {
  const { fields, spare } = fieldsOf(route)
  return {
    make: ({ call, input }, given) => output.generateOne(call, input, given),
    change({ call, match, input }, stored, kept) {
      // Defaults of the input model are not what the request supplied.
      const supplied = new Set([
        ...Object.keys(isObject(call.body) ? call.body : {}),
        ...Object.keys(match.params),
      ])
      const overlay = Object.fromEntries(Object.entries(input).filter(([name]) => supplied.has(name)))
      const known = Object.entries(overlay).filter(([name]) => Object.hasOwn(stored, name) || spare.has(name))
      const given = { ...stored, ...Object.fromEntries(known), ...kept }
      const item = output.generateOne(call, overlay, given)
      // A change makes up nothing that the item can do without.
      const isMadeUp = (name: string): boolean => spare.has(name) && !Object.hasOwn(given, name)
      return Object.fromEntries(Object.entries(item).filter(([name]) => !isMadeUp(name)))
    },
    show: (item) => item,
    showRemoved(item, { call, input }) {
      if (!tellsOfRemoved(route)) return undefined
      const named = Object.entries(item).filter(([name]) => fields.has(name))
      return output.generateOne(call, input, Object.fromEntries(named))
    },
    list: (request) => listStored(route, { output, paged }, request),
  }
}

// The usual 204 has no body; another status says that there is one.
function tellsOfRemoved({ options: { status = 204, output } }: RouteDefinition): boolean {
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

function listStored(route: RouteDefinition, { output, paged }: Outputs, request: ItemRequest): Outcome {
  const { call, input, collection } = request
  const kind = outputKind(route.options.output)
  const filtered = route.options.filterBy !== undefined && input[route.options.filterBy] !== undefined
  if (paged !== undefined && !filtered) {
    return paged.pageOf(call, input, {
      total: collection.size,
      items: (offset, limit) => collection.page(offset, limit),
    })
  }
  if (kind === 'page' && !filtered) {
    return {
      body: output.paginate(input, collection.size, (offset, limit) => collection.page(offset, limit)),
    }
  }
  const items = [...output.keep(collection.items(), input)]
  if (paged !== undefined) {
    return paged.pageOf(call, input, {
      total: items.length,
      items: (offset, limit) => items.slice(offset, offset + limit),
    })
  }
  if (kind === 'page') {
    return {
      body: output.paginate(input, items.length, (offset, limit) => items.slice(offset, offset + limit)),
    }
  }
  return { body: kind === 'slice' ? { items, next_page_token: null } : items }
}
