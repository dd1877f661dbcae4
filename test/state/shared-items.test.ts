import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { SharedSessionState } from '../../src/state/redis/redis-state.ts'
import type { SessionState } from '../../src/state/state.ts'
import { hasRedis, sharedRedis, startRedis, type RedisServer } from './redis-server.ts'
import { connect } from '../../src/state/redis/connection.ts'
import { crudOf, memoryState, statesOn } from './shared-states.ts'

const redis = sharedRedis()
const users = crudOf('/users', 100_000)

async function gateways(count: number): Promise<SharedSessionState[]> {
  const name = randomUUID()
  const all = Array.from({ length: count }, async (_, at) =>
    statesOn(await redis.connect(name), name, `g${at}`).of(''),
  )
  return Promise.all(all)
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

/** What a client of the model asks for. */
type Step =
  | readonly ['create' | 'count', string | undefined]
  | readonly ['patch' | 'put' | 'remove' | 'read', string]
  | readonly ['page', number]

const id = fc.constantFrom('1', '2', '3', 'x')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('create' as const), fc.option(fc.constantFrom('2', 'x', 'y'), { nil: undefined })),
  fc.tuple(fc.constantFrom('patch' as const, 'put' as const, 'remove' as const, 'read' as const), id),
  fc.tuple(fc.constant('page' as const), fc.nat(3)),
  fc.tuple(fc.constant('count' as const), fc.constant(undefined)),
)
const narrow = crudOf('/narrow', 4)
// Side by side, which request gets which ordinal is left open.
const unnumbered = crudOf('/narrow', 4, () => ({}))
const named = step.filter(([kind, given]) => kind !== 'create' || given !== undefined)

async function take(state: SessionState, [kind, given]: Step, by = 0, crud = narrow): Promise<string> {
  const requested = { id: given as string, fields: { by } }
  const made =
    kind === 'page'
      ? crud.page(state, given, 3)
      : kind === 'count'
        ? Promise.resolve(state.requestCounts.next('a'))
        : crud[kind](state, kind === 'create' && given === undefined ? { fields: { by } } : requested)
  return made.then(
    (value) => JSON.stringify(value) ?? 'nothing',
    (error: { code: string }) => error.code,
  )
}

describe.skipIf(!hasRedis)('items that gateways share', () => {
  it('answer a list of requests, one after the other by any gateway, as one process does', async () => {
    const name = randomUUID()
    const all = await Promise.all(
      ['a', 'b', 'c'].map(async (gateway) => statesOn(await redis.connect(name), name, gateway)),
    )
    let session = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2)), { maxLength: 30 }), async (steps) => {
        const key = String(session++)
        const states = all.map((each) => each.of(key))
        const memory = memoryState()
        for (const [each, by] of steps)
          expect(await take(states[by] as SessionState, each, by)).toBe(await take(memory, each, by))
        const saved = await states[0]?.transact((store) => store.snapshot())
        expect(JSON.stringify(saved)).toBe(JSON.stringify(await memory.transact((store) => store.snapshot())))
      }),
      { numRuns: Number(process.env['SIM_STATE_CASES'] ?? 40), seed: 20 },
    )
  })

  const answersInSomeOrder = async (gateways: readonly string[]): Promise<void> => {
    const name = randomUUID()
    const all = await Promise.all(
      gateways.map(async (gateway) => statesOn(await redis.connect(name), name, gateway)),
    )
    let session = 0
    const requests = fc.array(named, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.tuple(requests, requests, requests), async (clients) => {
        const states = all.map((each) => each.of(String(session)))
        session++
        const history = await Promise.all(
          clients.map(async (steps, by) => {
            const answers: string[] = []
            for (const each of steps)
              answers.push(await take(states[by % states.length] as SessionState, each, by, unnumbered))
            return answers
          }),
        )
        const end = await itemsIn(states[0] as SessionState)
        expect(await isSomeOrder(clients, history, end)).toBe(true)
      }),
      { numRuns: Number(process.env['SIM_STATE_CASES'] ?? 25), seed: 20 },
    )
  }

  it('answer three clients at once as some order of their requests would', () =>
    answersInSomeOrder(['a', 'b', 'c']))

  it('answer three clients of one gateway at once as some order of their requests would', () =>
    answersInSomeOrder(['a']))

  it('are read once, and stored once, for requests that come together', async () => {
    const name = randomUUID()
    const connection = await redis.connect(name)
    const state = statesOn(connection, name, 'a').of('')
    for (let count = 0; count < 3; count++) await users.create(state)
    const callsOf = async (work: () => Promise<unknown>[]): Promise<Record<string, number>> => {
      const before = new Map(connection.stats.calls)
      await Promise.all(work())
      return Object.fromEntries(
        [...connection.stats.calls]
          .map(([call, count]) => [call, count - (before.get(call) ?? 0)] as const)
          .filter(([, count]) => count > 0),
      )
    }
    const times = <Made>(work: (at: number) => Promise<Made>): Promise<Made>[] =>
      Array.from({ length: 30 }, (_, at) => work(at))
    expect(await callsOf(() => times((at) => users.read(state, { id: String((at % 3) + 1) })))).toEqual({
      HMGET: 1,
    })
    expect(await callsOf(() => times(() => users.create(state)))).toEqual({ reserve: 1, commit: 1 })
    const patched = await callsOf(() => times((at) => users.patch(state, { id: '1', fields: { [at]: at } })))
    expect(patched).toEqual({ HMGET: 1, commit: 1 })
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, at]))
    expect(JSON.parse(String(await users.read(state, { id: '1' })))).toMatchObject(fields)

    const others = crudOf('/others')
    for (let count = 0; count < 5; count++) await others.create(state)
    const ids = (page: unknown): unknown =>
      (page as { items: string[] }).items.map((text) => (JSON.parse(text) as { id: string }).id)
    const pages: Promise<unknown>[] = []
    const calls = await callsOf(() => {
      pages.push(users.page(state, 0, 2), others.page(state, 3, 2), others.page(state, 0, 2))
      pages.push(users.page(state, 0, 2), others.page(state, 5, 2))
      return pages
    })
    expect(calls).toEqual({ load: 1 })
    expect((await Promise.all(pages)).map(ids)).toEqual([['1', '2'], ['4', '5'], ['1', '2'], ['1', '2'], []])

    for (const each of [others, crudOf('/nothing-stored')])
      expect(await callsOf(() => [each.all(state)])).toEqual({ load: 1 })
    expect(await others.page(state, 0, 1)).toMatchObject({ size: 5 })
  })

  it('get exactly the ids of their ordinals when two gateways create at once, and those of refused requests later', async () => {
    const states = await gateways(2)
    const failing = (state: SharedSessionState): Promise<unknown> =>
      Promise.resolve(
        state.transact((store) =>
          store.collection('/users').run(
            {
              maxItems: 9,
              need: () => ({ kind: 'ordinal' }),
              decide: (_, { assigned }) => {
                throw new Error(String(assigned))
              },
            },
            {},
          ),
        ),
      ).catch(() => undefined)
    const idsOf = async (): Promise<number[]> => {
      const { items } = (await users.page(states[1] as SharedSessionState, 0, 1000)) as { items: string[] }
      return items
        .map((text) => Number((JSON.parse(text) as { id: string }).id))
        .toSorted((one, two) => one - two)
    }
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)
    const all = (work: (state: SharedSessionState, at: number) => Promise<unknown>): Promise<unknown> =>
      Promise.all(states.flatMap((state) => upTo(100).map((at) => work(state, at))))
    await all((state) => users.create(state))
    expect(await idsOf()).toEqual(upTo(200))
    await all((state, at) => (at % 10 === 3 ? failing(state) : users.create(state)))
    const holes = Math.max(...(await idsOf())) - 380
    for (let count = 0; count < holes; count++) await users.create(states[count % 2] as SharedSessionState)
    expect(await idsOf()).toEqual(upTo(380 + holes))
  })

  // As many arguments as items are too many for a call, once there are a hundred thousand.
  it('are checked as a whole where they were read as a whole', async () => {
    const name = randomUUID()
    const connection = await redis.connect(name)
    const run = vi.spyOn(connection, 'run')
    const one = statesOn(connection, name, 'one').of('')
    const other = statesOn(await redis.connect(name), name, 'other').of('')
    const items = Array.from({ length: 1500 }, (_, at) => [`${at}`, { id: `${at}` }] as const)
    await one.transact((store) => {
      store.restore({ version: 1, collections: { '/users': { assigned: 1500, items } } })
    })
    await users.remove(other, { id: '5' })
    const { collections } = await one.transact((store) => store.snapshot())
    expect(collections['/users']?.items).toHaveLength(1499)
    const checks = run.mock.calls.filter(([script]) => script.name === 'check').map(([, , args]) => args)
    expect(checks).toHaveLength(1)
    expect(checks[0]?.length).toBeLessThan(50)
  })

  it('lose no update when 32 at a time patch one item by two gateways', async () => {
    const states = await gateways(2)
    await users.create(states[0] as SharedSessionState)
    let left = 300
    const client = async (state: SharedSessionState): Promise<void> => {
      while (left-- > 0) await users.patch(state, { id: '1' })
    }
    await Promise.all(Array.from({ length: 32 }, (_, at) => client(states[at % 2] as SharedSessionState)))
    expect(JSON.parse(String(await users.read(states[1] as SharedSessionState, { id: '1' })))).toMatchObject({
      n: 300,
    })
  })

  it('begin anew what had begun before a reset, and take its ordinals anew', async () => {
    const [one, other] = (await gateways(2)) as [SharedSessionState, SharedSessionState]
    for (let count = 0; count < 3; count++) await users.create(one)
    let runs = 0
    const made = await one.transact(async (store) => {
      const run = runs++
      const { assigned } = store.collection('/users')
      if (run === 1) await other.reset()
      store.collection('/users').assigned = assigned + 10
      return assigned
    })
    expect([made, runs]).toEqual([0, 4])
    expect(await users.page(other, 0, 5)).toEqual({ size: 0, items: [] })
    const creating = users.create(one)
    await Promise.all([creating, other.reset()])
    const after = (await users.page(other, 0, 5)) as { size: number }
    expect(await users.create(other)).toMatchObject({ id: String(after.size + 1) })
  })

  it('keep of a full server what is there, answer reads and removals, and give ordinals back', async () => {
    const server = await startRedis({ maxmemory: '8mb' })
    const connection = await connect({ url: server.unixUrl })
    try {
      const state = statesOn(connection, 'full').of('')
      const fields = { text: 'x'.repeat(100_000) }
      let stored = 0
      while ((await codeOf(users.create(state, { fields }))) === 'done') stored++
      expect(await codeOf(users.create(state, { fields }))).toBe('SIM_STATE_FULL')
      expect(await users.page(state, 0, 0)).toMatchObject({ size: stored })
      for (const each of ['1', '2', '3', '4', '5']) await users.remove(state, { id: each })
      expect(await users.create(state)).toMatchObject({ id: String(stored + 1) })
      expect(stored).toBeGreaterThan(10)
    } finally {
      await connection.close()
      await server.stop()
    }
  })

  it('are lost, and no id is given twice, when the server comes back without its latest changes', async () => {
    const server = await startRedis({ aof: 'always' })
    const connection = await connect({ url: server.unixUrl })
    try {
      const state = statesOn(connection, 'sim').of('')
      await users.create(state)
      const [log, old] = [join(server.folder, 'appendonlydir'), join(server.folder, 'old')]
      cpSync(log, old, { recursive: true })
      await users.create(state)
      await server.kill()
      rmSync(log, { recursive: true })
      cpSync(old, log, { recursive: true })
      await server.restart()
      await expect.poll(() => connection.lost, { interval: 5 }).toMatch(/session ''/)
      expect(await codeOf(users.create(state))).toBe('SIM_STATE_LOST')
      await connection.begin()
      expect(await users.create(state)).toMatchObject({ id: '2' })
    } finally {
      await connection.close()
      await server.stop()
    }
  })

  it('are all there that were answered, and no id twice, when the server is killed and comes back', async () => {
    const server = await startRedis({ aof: 'always' })
    const connections = await Promise.all([0, 1].map(() => connect({ url: server.unixUrl })))
    try {
      const states = connections.map((each, at) => statesOn(each, 'kill', `g${at}`).of(''))
      const ids: string[] = []
      const over = new AbortController()
      const client = async (state: SharedSessionState): Promise<void> => {
        while (!over.signal.aborted) {
          try {
            ids.push(((await users.create(state)) as { id: string }).id)
          } catch (error) {
            expect((error as { code: string }).code).toMatch(/^SIM_STATE_(UNAVAILABLE|UNCERTAIN)$/)
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        }
      }
      const clients = Array.from({ length: 8 }, (_, at) => client(states[at % 2] as SharedSessionState))
      await killed(server, ids, 100)
      await killed(server, ids, 300)
      await expect.poll(() => ids.length, { interval: 5 }).toBeGreaterThan(500)
      over.abort()
      await Promise.all(clients)
      expect(new Set(ids).size).toBe(ids.length)
      const { items } = (await users.page(states[0] as SharedSessionState, 0, 100_000)) as { items: string[] }
      const there = new Set(items.map((text) => (JSON.parse(text) as { id: string }).id))
      expect(ids.filter((each) => !there.has(each))).toEqual([])
      expect(connections.map(({ lost }) => lost)).toEqual([undefined, undefined])
    } finally {
      await Promise.all(connections.map((each) => each.close()))
      await server.stop()
    }
  })
})

async function killed(server: RedisServer, ids: readonly string[], after: number): Promise<void> {
  await expect.poll(() => ids.length, { interval: 2 }).toBeGreaterThan(after)
  await server.restart()
}

// Whether the answers are those of one process to the requests in some order that keeps that of each client.
async function isSomeOrder(
  clients: readonly (readonly Step[])[],
  answers: readonly (readonly string[])[],
  end: string,
): Promise<boolean> {
  const dead = new Set<string>()
  const search = async (order: readonly number[], places: readonly number[]): Promise<boolean> => {
    if (places.every((place, by) => place === clients[by]?.length)) {
      const memory = memoryState()
      await replayed(memory, clients, order)
      return (await itemsIn(memory)) === end
    }
    for (const [by, place] of places.entries()) {
      const next = clients[by]?.[place]
      if (next === undefined) continue
      const memory = memoryState()
      await replayed(memory, clients, order)
      const state = JSON.stringify([places, by, await itemsIn(memory)])
      if (dead.has(state)) continue
      const isSame = (await take(memory, next, by, unnumbered)) === answers[by]?.[place]
      if (
        isSame &&
        (await search(
          [...order, by],
          places.map((each, at) => (at === by ? each + 1 : each)),
        ))
      )
        return true
      dead.add(state)
    }
    return false
  }
  return search(
    [],
    clients.map(() => 0),
  )
}

async function replayed(
  state: SessionState,
  clients: readonly (readonly Step[])[],
  order: readonly number[],
): Promise<void> {
  const places = clients.map(() => 0)
  for (const by of order) {
    const place = places[by] as number
    places[by] = place + 1
    await take(state, clients[by]?.[place] as Step, by, unnumbered)
  }
}

async function itemsIn(state: SessionState): Promise<string> {
  const { collections } = await state.transact((store) => store.snapshot())
  return JSON.stringify(Object.entries(collections).map(([path, { items }]) => [path, items]))
}
