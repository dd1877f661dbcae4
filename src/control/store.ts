import type { Input } from '../engine/input.ts'
import { createMemoryStore } from '../state/memory-store.ts'
import { hostedPath, readerOf, seedCollection } from '../collections/seed.ts'
import type { Store } from '../state/store.ts'
import { InputInvalid, PreconditionFailed, SimError, StoreAbsent } from '../errors.ts'
import { etagOf } from '../engine/etag.ts'
import { evaluate } from '../http/conditions.ts'
import { JSON_TYPE, utf8Bytes } from '../message.ts'
import { defineOperation, fields, WholeResponse, type ControlRequest } from './operation.ts'

const items = { type: 'array', items: { type: 'object' } }
const COLLECTION = fields({ collection: { type: 'string' }, items })
const SIZES = { type: 'object', additionalProperties: { type: 'integer' } }
const named = {
  type: 'string',
  description:
    'Its path without the first slash, others as %2F; after the host and %2F if its routes have one',
}

/** The store of a session. */
export const store = [
  defineOperation(
    'GET',
    '/store',
    {
      scope: { reads: ['store'] },
      tag: 'state',
      summary: 'How many items each collection has',
      output: SIZES,
    },
    (_input, request) => sizesOf(storeOf(request)),
  ),
  defineOperation(
    'GET',
    '/store/{collection}',
    {
      scope: { reads: ['store'] },
      tag: 'state',
      summary: 'The items of a collection',
      input: fields({ collection: named }),
      output: COLLECTION,
    },
    (input, request) => collectionOf(nameOf(input, request), storeOf(request)),
  ),
  defineOperation(
    'PUT',
    '/store/{collection}',
    {
      scope: { changes: ['store'] },
      tag: 'state',
      summary: 'Replace the items of a collection: all of them or none',
      description:
        'Items without an id are given one. Each must fit the model of the route. With If-Match and the ETag that a GET gave, 412 where they were changed since.',
      input: fields({ collection: named, items }, ['items']),
      output: COLLECTION,
    },
    (input, request) => {
      const collection = nameOf(input, request)
      const own = storeOf(request)
      checkUnchanged(collectionOf(collection, own), request)
      const list = input['items'] as readonly unknown[]
      // What is wrong shows in a store of its own, before anything is lost.
      fill(createMemoryStore(), collection, list, request)
      own.clear(collection)
      fill(own, collection, list, request)
      return collectionOf(collection, own)
    },
  ),
  defineOperation(
    'DELETE',
    '/store/{collection}',
    {
      scope: { changes: ['store'] },
      tag: 'state',
      summary: 'Empty a collection',
      input: fields({ collection: named }),
      output: SIZES,
    },
    (input, request) => {
      storeOf(request).clear(nameOf(input, request))
      return sizesOf(storeOf(request))
    },
  ),
  defineOperation(
    'DELETE',
    '/store',
    { scope: { changes: ['store'] }, tag: 'state', summary: 'Empty all collections', output: SIZES },
    (_input, request) => {
      storeOf(request).clear()
      return sizesOf(storeOf(request))
    },
  ),
]

// The ETag is of all gateways with a shared state alike.
function collectionOf(collection: string, own: Store): WholeResponse {
  const body = utf8Bytes(JSON.stringify({ collection, items: [...own.collection(collection).items()] }))
  return new WholeResponse({
    status: 200,
    headers: ['content-type', JSON_TYPE, 'etag', etagOf(body, {})],
    body,
  })
}

/** @throws PreconditionFailed where `If-Match` names another state than there is */
function checkUnchanged({ response }: WholeResponse, { exchange: { headers } }: ControlRequest): void {
  const wanted = headers['if-match']
  if (wanted === undefined) return
  const validators = { etag: response.headers.at(-1), lastModified: undefined }
  const outcome = evaluate('PUT', { 'if-match': [wanted].flat().join(', ') }, validators)
  if (outcome === 'failed') throw new PreconditionFailed()
}

/** How many items each collection of a store has. */
export function sizesOf(store: Store): Readonly<Record<string, number>> {
  const { collections } = store.snapshot()
  return Object.fromEntries(Object.entries(collections).map(([path, { items: all }]) => [path, all.length]))
}

function storeOf({ store: own }: ControlRequest): Store {
  if (own === undefined) throw new StoreAbsent()
  return own
}

// What a client writes as a name is as in `GET /store`, or shorter: without the first slash, without the host.
function nameOf({ collection }: Input, { engine: { routes } }: ControlRequest): string {
  const text = String(collection)
  const [host] = text.split('/', 1)
  const isHosted =
    text.startsWith('/') || (host !== text && routes.some(({ options }) => options.host === host))
  const path = isHosted ? text : `/${text}`
  return hostedPath(path, readerOf(path, routes)?.options.host)
}

function fill(
  into: Store,
  collection: string,
  list: readonly unknown[],
  { engine, session }: ControlRequest,
): void {
  const { routes } = engine
  const route = readerOf(collection, routes)
  const maxItems = route === undefined ? 0 : engine.maxItemsOf(route)
  try {
    seedCollection(collection, list, { store: into, routes, seed: session.seed, maxItems })
  } catch (error) {
    if (!SimError.is(error)) throw error
    throw new InputInvalid([{ type: 'items', loc: ['body', 'items'], msg: error.message, input: collection }])
  }
}
