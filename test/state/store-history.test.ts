import { describe, expect, it } from 'vitest'
import { contentStream } from '../../src/engine/random.ts'
import { createMemoryStore } from '../../src/state/memory-store.ts'
import { StoredItem, type Beginning, type Change, type Store } from '../../src/state/store.ts'

const beginning: Beginning = {
  size: 3,
  assigned: 3,
  get: (id) => (['1', '2', '3'].includes(id) ? new StoredItem({ id, first: true }) : undefined),
  page: () => [],
  *entries() {
    for (const id of ['1', '2', '3']) yield [id, new StoredItem({ id, first: true })] as const
  },
}

function collectionOf(store: Store, path: string) {
  return store.collection(path, path === '/begun' ? beginning : undefined)
}

function apply(store: Store, path: string, change: Change): void {
  try {
    collectionOf(store, path).run(
      { maxItems: 600, need: () => ({ kind: 'nothing' }), decide: () => ({ change }) },
      undefined,
    )
  } catch {
    // What cannot be stored changes nothing.
  }
}

/** One change of any kind, of one of three collections. */
function changeAtRandom(store: Store, step: number): void {
  const draw = contentStream(5, `step ${step}`)
  const path = draw.pick(['/a', '/b', '/begun']) ?? ''
  const id = String(draw.integer(1, 12))
  const value = { id, step }
  const item = step % 2 === 0 ? new StoredItem(value) : new StoredItem(undefined, JSON.stringify(value))
  const own = collectionOf(store, path)
  const acts = [
    () => apply(store, path, { kind: 'add', id, item, ordinal: own.assigned }),
    () => apply(store, path, { kind: 'put', id, item }),
    () => apply(store, path, { kind: 'replace', id, item }),
    () => apply(store, path, { kind: 'remove', id }),
    () => own.set(id, { id, set: step }),
    () => void own.delete(id),
    () => void (own.assigned = step),
  ]
  draw.pick(acts)?.()
}

describe('the history of a store', () => {
  it('gives back what the store was before each change, in its order', () => {
    const store = createMemoryStore()
    const was = new Map<number, string>()
    for (let step = 0; step < 1500; step++) {
      was.set(store.version, JSON.stringify(store.snapshot()))
      changeAtRandom(store, step)
    }
    for (const version of was.keys())
      if (version < store.version - 1000 || version % 3 > 0) was.delete(version)
    expect(was.size).toBeGreaterThan(300)
    const rebuilt = [...was.keys()].map((version) => [
      version,
      JSON.stringify(store.before(version)?.snapshot()),
    ])
    expect(rebuilt).toEqual([...was])
  })

  it('puts an item back between its neighbours, beyond the first few hundred', () => {
    const store = createMemoryStore()
    const own = store.collection('/many')
    for (let id = 0; id < 600; id++) own.set(String(id), { id })
    const [version, order] = [store.version, JSON.stringify(store.snapshot())]
    for (const id of ['511', '512', '0', '599', '300']) own.delete(id)
    expect(JSON.stringify(store.before(version)?.snapshot())).toBe(order)
  })

  it('is a copy, so that changes of either leave the other as it is', () => {
    const store = createMemoryStore()
    store.collection('/a').set('1', { id: '1' })
    const copy = store.before(store.version) as Store
    copy.collection('/a').set('2', { id: '2' })
    store.collection('/a').delete('1')
    expect([store.size, copy.size]).toEqual([0, 2])
  })

  it('ends with a thousand changes, and where the store is replaced', () => {
    const store = createMemoryStore()
    const own = store.collection('/a')
    const first = store.version
    for (let step = 0; step < 1000; step++) own.set('1', { id: '1', step })
    expect(store.before(first)?.size).toBe(0)
    own.set('1', { id: '1' })
    expect(store.before(first)).toBeUndefined()
    const last = store.version
    store.restore({ version: 1, collections: {} })
    expect(store.before(last)).toBeUndefined()
    expect(store.before(store.version)?.size).toBe(0)
  })
})
