import { randomUUID } from 'node:crypto'
import { createMemoryStore } from '../../src/state/memory-store.ts'
import type { RedisConnection } from '../../src/state/redis/connection.ts'
import { namespaceOf } from '../../src/state/redis/keys.ts'
import { createSessionStates, type SessionStates } from '../../src/state/redis/redis-state.ts'
import { createMemoryState, type SessionState } from '../../src/state/state.ts'
import type { Change, ItemOperation, StoreSnapshot } from '../../src/state/store.ts'
import { StoredItem } from '../../src/state/store.ts'

/** A state in memory that begins with what an app begins with. */
export function memoryState(first?: StoreSnapshot): SessionState {
  const store = createMemoryStore()
  if (first !== undefined) store.restore(first)
  return createMemoryState(store)
}

/** The states of one gateway. */
export function statesOn(
  connection: RedisConnection,
  name: string,
  gateway: string = randomUUID(),
  first?: StoreSnapshot,
): SessionStates {
  return createSessionStates({ connection, namespace: namespaceOf({ name }), gateway, first })
}

interface Answered {
  readonly id?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

const operation = (
  need: ItemOperation<Answered>['need'],
  decide: ItemOperation<Answered, { readonly change?: Change; readonly body?: unknown }>['decide'],
  maxItems: number,
): ItemOperation<Answered, { readonly change?: Change; readonly body?: unknown }> => ({
  maxItems,
  need,
  decide,
})

/** The operations of routes, in short. */
export function crudOf(
  path: string,
  maxItems = 1000,
  numbered: (ordinal: number) => object = (ordinal) => ({ ordinal }),
) {
  const create = operation(
    () => ({ kind: 'ordinal' }),
    ({ id, fields }, found) => {
      let ordinal = found.assigned
      if (id === undefined) while (found.isTaken(String(ordinal + 1))) ordinal++
      const text = id ?? String(ordinal + 1)
      const item = new StoredItem({ id: text, ...numbered(ordinal), ...fields })
      return { change: { kind: 'add', id: text, item, ordinal }, body: item.value }
    },
    maxItems,
  )
  const patch = operation(
    ({ id = '' }) => ({ kind: 'item', id }),
    ({ id = '', fields }, { item }) => {
      if (item === undefined) return { body: 'not found' }
      const value = { ...item.value, ...fields, n: Number(item.value['n'] ?? 0) + 1 }
      return { change: { kind: 'replace', id, item: new StoredItem(value) }, body: value }
    },
    maxItems,
  )
  const put = operation(
    () => ({ kind: 'nothing' }),
    ({ id = '', fields }, { assigned }) => {
      const value = { id, seen: assigned >= 0, ...fields }
      return { change: { kind: 'put', id, item: new StoredItem(value) }, body: value }
    },
    maxItems,
  )
  const read = operation(
    ({ id = '' }) => ({ kind: 'item', id }),
    (_, { item }) => ({ body: item?.text ?? 'not found' }),
    maxItems,
  )
  const remove = operation(
    ({ id = '' }) => ({ kind: 'item', id }),
    ({ id = '' }, { item }) =>
      item === undefined ? { body: 'not found' } : { change: { kind: 'remove', id } },
    maxItems,
  )
  // Whatever is there goes, and what is sent takes its place; or it is added to what is there.
  const several = (ids: readonly string[], empties: boolean) =>
    operation(
      () => ({ kind: 'all' }),
      (_, { assigned, items }) => {
        const changes = ids.map((id, at) => ({
          ...({ kind: 'add', id, item: new StoredItem({ id }), ordinal: assigned + at } as const),
        }))
        return { change: { kind: 'several', changes, empties }, body: items.length }
      },
      maxItems,
    )
  const list = (offset: number, limit: number) =>
    operation(
      () => ({ kind: 'page', offset, limit }),
      (_, { items, size }) => ({ body: { size, items: items.map(({ text }) => text) } }),
      maxItems,
    )
  const all = operation(
    () => ({ kind: 'all' }),
    (_, { size, items }) => ({ body: { size, items: items.map(({ text }) => text) } }),
    maxItems,
  )
  const on =
    (made: ReturnType<typeof operation>) =>
    async (state: SessionState, requested: Answered = {}): Promise<unknown> =>
      (await state.transact((store) => store.collection(path).run(made, requested))).body
  return {
    ...{ create: on(create), patch: on(patch), put: on(put), read: on(read), remove: on(remove) },
    all: on(all),
    page: (state: SessionState, offset: number, limit: number) => on(list(offset, limit))(state),
    replaceAll: (state: SessionState, ids: readonly string[]) => on(several(ids, true))(state),
    addAll: (state: SessionState, ids: readonly string[]) => on(several(ids, false))(state),
  }
}
