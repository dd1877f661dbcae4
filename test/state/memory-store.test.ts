import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ItemExists, StoreFull } from '../../src/errors.ts'
import { createMemoryStore } from '../../src/state/memory-store.ts'
import { StoredItem, type Change, type Found, type Item, type Need } from '../../src/state/store.ts'

const ids = fc.integer({ min: 0, max: 2000 }).map(String)
const commands = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: ids.map((id) => ({ kind: 'set' as const, id })) },
    { weight: 2, arbitrary: ids.map((id) => ({ kind: 'delete' as const, id })) },
    fc.record({ kind: fc.constant('page' as const), offset: fc.nat(3000), limit: fc.nat(50) }),
  ),
  { maxLength: 3000, size: 'max' },
)

describe('a collection in memory', () => {
  it('behaves as a plain ordered map does, whatever is done to it', () => {
    fc.assert(
      fc.property(commands, (steps) => {
        const collection = createMemoryStore().collection('/things')
        const model = new Map<string, Item>()
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'set') {
            collection.set(step.id, { id: step.id, index })
            model.set(step.id, { id: step.id, index })
          } else if (step.kind === 'delete') {
            expect(collection.delete(step.id)).toBe(model.delete(step.id))
          } else {
            const { offset, limit } = step
            expect(collection.page(offset, limit)).toEqual([...model.values()].slice(offset, offset + limit))
          }
        }
        expect(collection.size).toBe(model.size)
        expect([...collection.items()]).toEqual([...model.values()])
        for (const [id, item] of model) expect(collection.get(id)).toEqual(item)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps insertion order over many chunks, with replacements in place', () => {
    const collection = createMemoryStore().collection('/things')
    for (let id = 0; id < 2000; id++) collection.set(String(id), { id })
    collection.set('700', { id: 'replaced' })
    expect(collection.page(699, 3)).toEqual([{ id: 699 }, { id: 'replaced' }, { id: 701 }])
  })
})

it('finds pages after many neighbours were deleted', () => {
  const collection = createMemoryStore().collection('/things')
  for (let id = 0; id < 3000; id++) collection.set(String(id), { id })
  for (let id = 200; id < 1700; id++) collection.delete(String(id))
  for (let id = 2500; id < 2600; id++) collection.delete(String(id))
  collection.set('new', { id: 'new' })
  expect(collection.page(199, 2)).toEqual([{ id: 199 }, { id: 1700 }])
  expect(collection.page(999, 2)).toEqual([{ id: 2499 }, { id: 2600 }])
  expect(collection.page(1399, 5)).toEqual([{ id: 2999 }, { id: 'new' }])
})

describe('an operation on a collection in memory', () => {
  const nothing: Need = { kind: 'nothing' }
  const add = (id: string, ordinal = 0): Change => ({
    kind: 'add',
    id,
    item: new StoredItem({ id }),
    ordinal,
  })
  function start(maxItems = 10) {
    const collection = createMemoryStore().collection('/things')
    const find = (need: Need): Found => {
      const operation = {
        maxItems,
        need: () => need,
        decide: (_: undefined, found: Found) => ({ found, change: undefined }),
      }
      return collection.run(operation, undefined).found
    }
    const change = (...changes: readonly Change[]): void => {
      for (const each of changes)
        collection.run({ maxItems, need: () => nothing, decide: () => ({ change: each }) }, undefined)
    }
    return { collection, find, change }
  }

  it('is given what it needs', () => {
    const { find, change } = start()
    change(add('a'), add('b', 1), add('c', 2))
    const values = ({ items }: Found): readonly unknown[] => items.map(({ value }) => value['id'])
    expect(find({ kind: 'item', id: 'b' }).item?.value).toEqual({ id: 'b' })
    expect(find({ kind: 'item', id: 'x' }).item).toBeUndefined()
    expect(values(find({ kind: 'page', offset: 1, limit: 5 }))).toEqual(['b', 'c'])
    expect(values(find({ kind: 'all' }))).toEqual(['a', 'b', 'c'])
    const found = find(nothing)
    const { assigned, size, item, items } = found
    expect({ assigned, size, item, items }).toEqual({ assigned: 3, size: 3, item: undefined, items: [] })
    expect([found.isTaken('c'), found.isTaken('x')]).toEqual([true, false])
  })

  it('has its change made, and none where it throws', () => {
    const { collection, change } = start()
    change(add('a', 4))
    expect(collection.assigned).toBe(5)
    change({ kind: 'put', id: 'b', item: new StoredItem({ id: 'b' }) })
    change({ kind: 'replace', id: 'a', item: new StoredItem({ id: 'a', is: 'new' }) })
    expect([...collection.items()]).toEqual([{ id: 'a', is: 'new' }, { id: 'b' }])
    change({ kind: 'remove', id: 'a' })
    expect([...collection.items()]).toEqual([{ id: 'b' }])
    const refuse = (): never => {
      throw new Error('refused')
    }
    expect(() => collection.run({ maxItems: 9, need: () => nothing, decide: refuse }, undefined)).toThrow(
      'refused',
    )
    expect([collection.size, collection.assigned]).toEqual([1, 5])
  })

  it('is refused where the id is taken, or the collection is full', () => {
    const { collection, change } = start(1)
    change(add('a'))
    expect(() => change(add('a', 1))).toThrow(ItemExists)
    expect(() => change(add('b', 1))).toThrow(StoreFull)
    expect(() => change({ kind: 'put', id: 'b', item: new StoredItem({}) })).toThrow(StoreFull)
    change({ kind: 'put', id: 'a', item: new StoredItem({ id: 'a', is: 'new' }) })
    expect([[...collection.items()], collection.assigned]).toEqual([[{ id: 'a', is: 'new' }], 1])
  })

  it('gets items with their JSON text', () => {
    const { find, change } = start()
    change(add('a'))
    expect(find({ kind: 'item', id: 'a' }).item?.text).toBe('{"id":"a"}')
  })
})

describe('a store in memory', () => {
  it('gives the same collection for the same path', () => {
    const store = createMemoryStore()
    store.collection('/a').set('1', { id: 1 })
    expect(store.collection('/a').size).toBe(1)
    expect(store.collection('/b').size).toBe(0)
  })

  it('keeps nothing of a collection that was only looked at', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 100; i++) store.collection(`/org/${i}`).get('1')
    expect(store.snapshot().collections).toEqual({})
  })

  it('clears one collection or all', () => {
    const store = createMemoryStore()
    store.collection('/a').set('1', {})
    store.collection('/b').set('1', {})
    store.clear('/a')
    expect(Object.keys(store.snapshot().collections)).toEqual(['/b'])
    store.clear()
    expect(store.snapshot().collections).toEqual({})
  })

  it('restores what a snapshot holds, through JSON, and nothing else', () => {
    const store = createMemoryStore()
    const collection = store.collection('/a')
    collection.set('2', { id: 2 })
    collection.set('1', { id: 1 })
    collection.assigned = 7
    const snapshot = JSON.parse(JSON.stringify(store.snapshot())) as ReturnType<typeof store.snapshot>

    const other = createMemoryStore()
    other.collection('/gone').set('1', {})
    other.restore(snapshot)
    expect(other.snapshot()).toEqual(snapshot)
    expect([...other.collection('/a').items()]).toEqual([{ id: 2 }, { id: 1 }])
    expect(other.collection('/a').assigned).toBe(7)
  })
})
