import type { ItemForm, ItemRequest } from '../../../collections/item-operations.ts'
import { urlOfCall } from '../../../collections/paging/page-links.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { lazy } from '../../../engine/lazy.ts'
import { contentStream, type Seed, type Stream } from '../../../engine/random.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import type { Scope } from '../../../engine/schema/generate.ts'
import { isObject, setEntry, type Entries } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import { hasLocation, type OpenApiRoute } from '../choose-response.ts'
import { fileFacts } from './file-facts.ts'
import { createHolder } from './held-fields.ts'
import { createItemMoments } from './item-moments.ts'
import { givenFieldsOf, secretFieldsOf } from './body-fields.ts'
import { createBeginEmpty, filledLists } from './new-item.ts'
import type { Resource } from './resource.ts'
import { createSentReferences } from './sent-references.ts'
import type { VirtualItems } from './virtual-items.ts'

/** Makes and changes a resource's items from what requests of one route send. */
export type ItemFactory = Pick<ItemForm, 'make' | 'change' | 'created' | 'keepsReplaced'>

/** Where the items of a route lie. */
export interface Placing {
  readonly virtual: VirtualItems
  /** The values of the parameters in the path of the collection. */
  valuesOf(this: void, request: Pick<ItemRequest, 'params'>): readonly string[]
  /** Gives an item what its place says of it. */
  place(this: void, request: ItemRequest, item: Entries): void
}

/**
 * How the requests of a route become items of its resource. An item holds what was sent; of what could have been sent
 * and was not, as little as its model allows; and for what the server sets, generated values.
 */
export function createItemFactory(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  resource: Resource,
  { virtual, valuesOf, place }: Placing,
): ItemFactory {
  const { operation } = route
  const { idField, idPath, evidence, shape } = resource
  const { model, references } = virtual.makerOf(resource)
  const wrapper = [evidence.singular, 'data', 'item', ...shape.path]
  const fieldOf = createFieldNames(model.fields)
  const ofRequests = new Set(givenFieldsOf(operation, wrapper).map(fieldOf))
  const secret = new Set(
    secretFieldsOf(operation, wrapper).filter((name) => !model.fields.has(fieldOf(name))),
  )
  const supplied = createSuppliedReader(route, wrapper)
  const hold = createHolder(shape, model)
  const moments = createItemMoments(shape, model)
  const beginEmpty = lazy(() => createBeginEmpty(shape, model, filledLists(resource, routes, references)))
  const refer = createSentReferences(resource, virtual, model)
  // Who sends a name in both ways means the field by its own.
  const named = (fields: Item): Item =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) => {
        const field = fieldOf(name)
        if (secret.has(name)) return []
        return field !== name && Object.hasOwn(fields, field) ? [] : [[field, value]]
      }),
    )

  return {
    ...(idPath !== undefined &&
      idField === undefined && {
        sentId: (request: ItemRequest) => memberAt(supplied.fields(request), idPath),
      }),
    keepsReplaced: moments.keeps,
    make(request, given, ordinal) {
      const { own: sent, held } = hold.split(refer(named(supplied.withDefaults(request))))
      const { stored: replaced } = request
      const { moment } = request.request
      const draws = virtual.drawsOf(resource, valuesOf(request), given[idField ?? ''] ?? ordinal)
      const taken = withoutBlank(model.taken(sent, draws, ofRequests), idField)
      const ofFile = fileFacts(request.request.body, model)
      const known = {
        ...ofFile,
        ...given,
        ...(moment !== undefined && moments.ofNew(moment, replaced)),
        ...taken,
      }
      const id = idField === undefined ? ordinal : known[idField]
      const own = Object.entries(known).filter(([name]) => model.fields.size === 0 || model.fields.has(name))
      const scope = itemScope(route, request)
      const ownKnown = Object.fromEntries(own)
      const whole = virtual.create(resource, valuesOf(request), { id, known: ownKnown, scope })
      const made = replaced === undefined ? beginEmpty()(whole, { ...sent, ...known }) : whole
      const unsent = [...ofRequests, ...moments.ends].filter(
        (name) => !Object.hasOwn(sent, name) && name !== idField,
      )
      const item: Entries = hold.join({ ...sent, ...model.without(made, unsent), ...known }, held)
      if (moment !== undefined) moments.writeNew(item, moment, sent, replaced)
      place(request, item)
      return item
    },
    change(request, stored) {
      const { own: sent, held } = hold.split(refer(named(supplied.fields(request))))
      const draws = virtual.drawsOf(resource, valuesOf(request), request.id)
      const taken = model.taken(sent, draws, ofRequests)
      const extra = Object.entries(sent).filter(([name]) => !model.fields.has(name))
      const changed = hold.join({ ...stored, ...Object.fromEntries(extra), ...taken }, held)
      // RFC 7396: null takes a field away, where the field itself cannot be null.
      const removed = Object.keys(sent).filter((name) => sent[name] === null && !(name in taken))
      const item = model.without(changed, removed)
      const { moment } = request.request
      if (moment !== undefined) moments.writeChanged(item, moment, { ...sent, attributes: held })
      return item
    },
    ...(hasLocation(route) && {
      created: ({ request }: ItemRequest, id: string) => ({
        location: `${urlOfCall(request).replace(/\/$/, '')}/${encodeURIComponent(id)}`,
      }),
    }),
  }
}

// Forms and bodies may write the names of an item's fields in another case: `FriendlyName` for `friendly_name`.
function createFieldNames(fields: ReadonlyMap<string, unknown>): (name: string) => string {
  const byPlainName = new Map([...fields.keys()].map((name) => [plainName(name), name]))
  return (name) => (fields.has(name) ? name : (byPlainName.get(plainName(name)) ?? name))
}

// An id that is sent empty is one to be assigned.
function withoutBlank(fields: Item, idField: string | undefined): Item {
  if (idField === undefined || (fields[idField] !== null && fields[idField] !== '')) return fields
  const { [idField]: _blank, ...others } = fields
  return others
}

/** Reads the fields that a request's body gives an item. A body that wraps them, as `{ pet: {…} }`, is opened. */
export interface SuppliedReader {
  fields(request: ItemRequest): Item
  /** With the defaults of the body's model. */
  withDefaults(request: ItemRequest): Item
}

/** The reader of a route's supplied fields. @param wrapper the names that a body may wrap them in */
export function createSuppliedReader(
  { operation }: OpenApiRoute,
  wrapper: readonly string[],
): SuppliedReader {
  const declared = new Set(operation.parameters.map(({ name }) => name))
  const isParameter = (name: string, { params }: ItemRequest): boolean =>
    declared.has(name) || Object.hasOwn(params, name)
  // The input has the body's values as their model reads them, but a parameter of the same name takes their place.
  const addSent = (values: Entries, request: ItemRequest): Entries => {
    const { body } = request.request
    const { input } = request
    if (!isObject(body)) return values
    for (const name of Object.keys(body)) {
      const isOwn = isParameter(name, request) || !Object.hasOwn(input, name)
      setEntry(values, name, isOwn ? body[name] : input[name])
    }
    return values
  }
  return {
    fields: (request) => unwrapped(addSent({}, request), wrapper),
    withDefaults(request) {
      const own: Entries = {}
      for (const name of Object.keys(request.input))
        if (!isParameter(name, request)) setEntry(own, name, request.input[name])
      return unwrapped(addSent(own, request), wrapper)
    },
  }
}

function unwrapped(fields: Item, wrapper: readonly string[]): Item {
  const [only, ...others] = Object.keys(fields)
  if (only === undefined || others.length > 0 || !wrapper.includes(only)) return fields
  const value = fields[only]
  return isObject(value) ? value : fields
}

/** The draws for what is generated of an item of a collection: the same in each answer about it. */
export function itemStreams(seed: Seed): (path: string, id: string) => Stream {
  let last: { readonly path: string; readonly stream: Stream } | undefined
  return (path, id) => {
    if (last?.path !== path) last = { path, stream: contentStream(seed, `items of ${path}`) }
    return last.stream.childOf(id)
  }
}

/** What the values of an answer about an item have in common. */
export function itemScope(route: RouteDefinition, { request, input }: ItemRequest): Scope {
  return { route: route.key, input, headers: request.headers, depth: 0 }
}
