import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SessionState } from '../../src/state/state.ts'
import type { Beginning, StoreSnapshot } from '../../src/state/store.ts'
import { beginningOf } from '../../src/state/redis/loaded.ts'
import { hasRedis, sharedRedis } from './redis-server.ts'
import { crudOf, memoryState, statesOn } from './shared-states.ts'

const redis = sharedRedis()
const users = crudOf('/users')
const few = crudOf('/few', 3)

/** A new state, and one that sees what it does. */
type Make = (first?: StoreSnapshot) => Promise<readonly [state: SessionState, other: SessionState]>

const inMemory: Make = async (first) => {
  const state = memoryState(first)
  return [state, state]
}
const onRedis: Make = async (first) => {
  const name = randomUUID()
  const [one, other] = [await redis.connect(name), await redis.connect(name)]
  return [statesOn(one, name, 'a', first).of(''), statesOn(other, name, 'b', first).of('')]
}

const messageOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: Error & { code?: string }) => error.code ?? error)

const some = (count: number): StoreSnapshot => ({
  version: 1,
  collections: {
    '/users': {
      assigned: count,
      items: Array.from({ length: count }, (_, at) => [String(at + 1), { id: String(at + 1), of: 'first' }]),
    },
  },
})

describe.each([
  ['in memory', inMemory],
  ...(hasRedis ? [['on a Redis server', onRedis] as const] : []),
] as const)('the state of a session %s', (_, make) => {
  it('gives ids one after the other, and shows items in order as they are, whoever changes them', async () => {
    const [one, other] = await make()
    for (const state of [one, other, one]) await users.create(state)
    expect(await users.patch(other, { id: '2', fields: { text: 'ä "x" ' } })).toMatchObject({ n: 1 })
    expect(await users.put(one, { id: '1', fields: { list: [] } })).toEqual({ id: '1', seen: true, list: [] })
    expect(await users.page(other, 0, 2)).toEqual({
      size: 3,
      items: ['{"id":"1","seen":true,"list":[]}', '{"id":"2","ordinal":1,"text":"ä \\"x\\" ","n":1}'],
    })
    expect(await users.remove(other, { id: '1' })).toBe(undefined)
    expect(await users.remove(one, { id: '1' })).toBe('not found')
    expect(await users.page(one, 1, 5)).toEqual({ size: 2, items: ['{"id":"3","ordinal":2}'] })
    expect(await users.read(one, { id: '1' })).toBe('not found')
  })

  it('refuses an id that is in use and an item too many, and nothing of that takes an id', async () => {
    const [one, other] = await make()
    await users.create(one, { id: 'own' })
    expect(await messageOf(users.create(other, { id: 'own' }))).toBe('SIM_ITEM_EXISTS')
    expect(await users.create(other)).toMatchObject({ id: '2' })
    for (const state of [one, other, one]) await few.create(state)
    expect(await messageOf(few.create(other))).toBe('SIM_STORE_FULL')
    expect(await messageOf(few.put(other, { id: '9' }))).toBe('SIM_STORE_FULL')
    expect(await few.put(one, { id: '2' })).toMatchObject({ id: '2' })
    await few.remove(one, { id: '1' })
    expect(await few.create(other)).toMatchObject({ id: '4' })
  })

  it('passes over ids that are in use, once and for all', async () => {
    const [one, other] = await make()
    for (const id of ['1', '2', '3']) await users.put(one, { id })
    expect(await users.create(other)).toMatchObject({ id: '4', ordinal: 3 })
    expect(await users.create(one)).toMatchObject({ id: '5', ordinal: 4 })
  })

  it('stores nothing of what refuses a request, and gives its ordinal to the next', async () => {
    const [one, other] = await make()
    const refused = (async () =>
      one.transact((store) =>
        store.collection('/users').run(
          {
            maxItems: 9,
            need: () => ({ kind: 'ordinal' }),
            decide: (_request, { assigned }) => {
              throw new Error(`refused ${assigned}`)
            },
          },
          {},
        ),
      ))()
    await expect(refused).rejects.toThrow('refused 0')
    expect(await users.create(other)).toMatchObject({ id: '1' })
  }, 5000)

  it.each([3, 1201])(
    'begins with the %i first items of the app, which are there again after a reset',
    async (count) => {
      const [one, other] = await make(some(count))
      expect(await users.read(one, { id: '2' })).toBe('{"id":"2","of":"first"}')
      expect(await users.page(other, count - 1, 9)).toEqual({
        size: count,
        items: [`{"id":"${count}","of":"first"}`],
      })
      await users.remove(one, { id: '2' })
      expect(await users.read(other, { id: '2' })).toBe('not found')
      expect(await crudOf('/users', count + 1).create(other)).toMatchObject({ id: String(count + 1) })
      expect(await users.page(one, 1, 1)).toEqual({ size: count, items: ['{"id":"3","of":"first"}'] })
      expect(await one.transact((store) => [...store.paths()])).toEqual(['/users'])
      await one.transact((store) => store.clear('/users'))
      expect(await users.page(other, 0, 1)).toEqual({ size: 0, items: [] })
      expect(await users.create(other)).toMatchObject({ id: '1', ordinal: 0 })
    },
  )

  it('makes all changes of one operation at once, whoever else makes some', async () => {
    const [one, other] = await make(some(3))
    expect(await users.replaceAll(one, ['a', 'b'])).toBe(3)
    expect(await users.page(other, 0, 9)).toEqual({ size: 2, items: ['{"id":"a"}', '{"id":"b"}'] })
    expect(await users.addAll(other, ['c', '1'])).toBe(2)
    expect(await users.page(one, 1, 2)).toEqual({ size: 4, items: ['{"id":"b"}', '{"id":"c"}'] })

    const sets = Array.from({ length: 12 }, (_, at) => [`x${at}`, `y${at}`, `z${at}`])
    await Promise.all(sets.map(async (ids, at) => users.replaceAll(at % 2 === 0 ? one : other, ids)))
    const { items } = (await users.page(one, 0, 99)) as { readonly items: readonly string[] }
    const last = /\d+/.exec(items[0] ?? '')?.[0] ?? ''
    expect(items).toEqual(['x', 'y', 'z'].map((letter) => `{"id":"${letter}${last}"}`))
    await users.replaceAll(other, [])
    expect(await users.page(one, 0, 9)).toEqual({ size: 0, items: [] })
  })

  it('shows the beginning of a collection until something is stored in it', async () => {
    const [one, other] = await make()
    const beginning: Beginning = beginningOf(some(2).collections['/users'] as never)
    const sizeOf = (state: SessionState, path = '/w'): unknown =>
      state.transact((store) => [store.has(path), store.collection(path, beginning).size])
    expect(await sizeOf(one)).toEqual([false, 2])
    expect(await other.transact((store) => store.collection('/w', beginning).delete('7'))).toBe(false)
    expect(await sizeOf(other)).toEqual([false, 2])
    expect(await one.transact((store) => store.collection('/w', beginning).delete('1'))).toBe(true)
    expect(await sizeOf(other)).toEqual([true, 1])
    await other.transact((store) => store.collection('/x', beginning).set('own', { id: 'own' }))
    expect(await sizeOf(one, '/x')).toEqual([true, 3])
    expect(await one.transact((store) => store.collection('/x', beginning).assigned++)).toBe(2)
    expect(await other.transact((store) => store.collection('/x', beginning).assigned)).toBe(3)
  })

  it('sees in a piece of work what that work has changed, and nothing of one that fails', async () => {
    const [one, other] = await make()
    await users.create(one)
    const seen = await other.transact((store) => {
      const collection = store.collection('/users')
      collection.set('b', { id: 'b' })
      collection.delete('1')
      return [
        collection.size,
        [...collection.items()],
        collection.page(0, 5),
        collection.get('1'),
        store.size,
      ]
    })
    expect(seen).toEqual([1, [{ id: 'b' }], [{ id: 'b' }], undefined, 1])
    expect(await users.page(one, 0, 5)).toEqual({ size: 1, items: ['{"id":"b"}'] })
  })

  it('is saved and put in place of another as a whole', async () => {
    const [one, other] = await make(some(2))
    await users.create(one)
    await crudOf('/orgs').create(one)
    const saved = await other.transact((store) => store.snapshot())
    expect(saved).toEqual({
      version: 1,
      collections: {
        '/orgs': { assigned: 1, items: [['1', { id: '1', ordinal: 0 }]] },
        '/users': {
          assigned: 3,
          items: [
            ['1', { id: '1', of: 'first' }],
            ['2', { id: '2', of: 'first' }],
            ['3', { id: '3', ordinal: 2 }],
          ],
        },
      },
    })
    await one.transact((store) => store.clear())
    expect(await other.transact((store) => [store.size, ...store.paths()])).toEqual([0])
    await other.transact((store) => store.restore(saved))
    expect(await one.transact((store) => store.snapshot())).toEqual(saved)
    expect(await users.create(one)).toMatchObject({ id: '4' })
  })

  it('counts by key from 0, for all', async () => {
    const [one, other] = await make()
    const counted = []
    for (const state of [one, other, one]) counted.push(await state.requestCounts.next('GET /a'))
    counted.push(await other.requestCounts.next('GET /b'), await one.scenarios.next('GET /a'))
    expect(counted).toEqual([0, 1, 2, 0, 0])
    expect(other.requestCounts.note('GET /a')).toBe(one === other ? 3 : 0)
    expect(await other.requestCounts.count('GET /a')).toBe(4)
    await one.scenarios.reset()
    expect([await other.scenarios.count('GET /a'), await one.requestCounts.next('GET /a')]).toEqual([0, 4])
    await one.requestCounts.reset()
    expect(await other.requestCounts.next('GET /a')).toBe(0)
  })

  it('admits by limits that slide and that are fixed, by all of them or none', async () => {
    const [one, other] = await make()
    const slides = { key: 's', limit: 2, windowMs: 1000 }
    const fixed = { key: 'f\nroute', limit: 2.5, windowMs: 10_000, isFixed: true }
    const at = 1_764_000_000_000
    const { limiter } = memoryState()
    for (const [index, now] of [0, 400.25, 900, 1000, 1400.5, 9999, 10_000, 3].entries()) {
      const limits = now === 900 ? [slides] : [slides, fixed]
      const { before: _, ...expected } = await limiter.admit(limits, at + now)
      expect(await (index % 2 === 0 ? one : other).limiter.admit(limits, at + now)).toMatchObject(expected)
    }
    await other.limiter.clear()
    expect(await one.limiter.admit([fixed], at)).toMatchObject({ isAdmitted: true, remaining: 2 })
  })
})
