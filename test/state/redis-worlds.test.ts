import { createAdapter, type Adapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import type { RedisConnection } from '../../src/state/redis/connection.ts'
import { createWorlds } from '../../src/state/redis/worlds.ts'
import type { OwnedState } from '../../src/state/world.ts'
import type { HeldWorld, Holder, OwnedStates } from '../../src/state/worlds.ts'
import { notes, type NotesState } from '../adapter/notes-adapter.ts'
import { hasRedis, sharedRedis } from './redis-server.ts'

const redis = sharedRedis({ aof: 'always' })
const LEASE_MS = 400

/** One gateway's adapter and worlds. */
interface Gateway {
  readonly adapter: Adapter<NotesState>
  readonly worlds: OwnedStates
  readonly connection: RedisConnection
  world(token?: string): OwnedState
  claim(token?: string): Promise<HeldWorld>
  put(id: string, held?: HeldWorld): Promise<number>
  notes(): string[]
}

let names = 0

async function gateways(
  count: number,
  { max = 256, definition = notes, leaseMs = LEASE_MS } = {},
): Promise<Gateway[]> {
  const name = `worlds-${++names}`
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const connection = await redis.connect(name)
      const adapter = createAdapter(definition, { isolate: 'token' })
      adapter.share?.('sim-notes', (token) => token)
      const id = String(index)
      const worlds = createWorlds({
        ...{ ask: connection, namespace: `sim:{${name}}`, gateway: `g${id}`, id, max, leaseMs },
        peer: () => Promise.resolve(`http://peer-${id}`),
      })
      const headers = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
      const world = (token?: string): OwnedState =>
        adapter.worldOf?.({ headers: headers(token) } as never) as OwnedState
      const claim = async (token?: string): Promise<HeldWorld> => {
        const found = await worlds.claim(world(token))
        if (!('run' in found)) throw new Error(`held by ${found.gateway}`)
        return found
      }
      return {
        ...{ adapter, worlds, connection, world, claim },
        async put(note: string, held?: HeldWorld) {
          const body = JSON.stringify({ text: note })
          const work = () => adapter.fetch(`/v1/notes/${note}`, { method: 'PUT', body })
          return (await (held ?? (await claim())).run(work)).status
        },
        notes: () => [...adapter.state().notes.keys()],
      }
    }),
  )
}

const cli = async (...args: string[]): Promise<string> => (await redis.server()).cli(...args)
const keyOf = (part: string, world = 'sim-notes'): string => `sim:{worlds-${names}/!${world}}:${part}`
const failure = { code: 'SIM_STATE_ELSEWHERE', statusCode: 503 }

describe.skipIf(!hasRedis)('a world that gateways share', () => {
  it('is held by one, which the others are reported', async () => {
    const [one, two] = (await gateways(2)) as [Gateway, Gateway]
    await one.put('x')
    expect(one.worlds.held(one.world())).toBeDefined()
    const holder = (await two.worlds.claim(two.world())) as Holder
    expect(holder).toEqual({ id: '0', gateway: 'g0', peer: 'http://peer-0' })
    expect(two.worlds.held(two.world())).toBeUndefined()
  })

  it('goes over at once from one that ends, by a snapshot in place of its log', async () => {
    const [one, two] = (await gateways(2)) as [Gateway, Gateway]
    for (const id of ['x', 'y', 'z']) await one.put(id)
    expect(await cli('XLEN', keyOf('log'))).toBe('3')
    await one.worlds.drain()
    expect(await cli('EXISTS', keyOf('log'))).toBe('0')
    await two.put('w')
    expect(two.notes().slice(-4)).toEqual(['x', 'y', 'z', 'w'])
    await expect(one.claim()).rejects.toThrow('held by g1')
  })

  it('goes over within the time of the lease from one that is no longer heard of', async () => {
    const [one, two] = (await gateways(2)) as [Gateway, Gateway]
    await one.put('x')
    await one.connection.close()
    const began = performance.now()
    await expect
      .poll(() => two.worlds.doubt(two.world()).then(() => two.put('y')), { interval: 20 })
      .toBe(201)
    expect(performance.now() - began).toBeLessThan(LEASE_MS + 500)
    expect(two.notes().slice(-2)).toEqual(['x', 'y'])
  })

  it('is not written by one that held it before, whatever that believes', async () => {
    const [one, two] = (await gateways(2)) as [Gateway, Gateway]
    const held = await one.claim()
    await one.put('x', held)
    await cli('DEL', keyOf('lease'))
    await two.put('y')
    const log = await cli('XRANGE', keyOf('log'), '-', '+')
    await expect(one.put('late', held)).rejects.toMatchObject(failure)
    await expect(held.run(() => 'a read')).rejects.toMatchObject(failure)
    expect(await cli('XRANGE', keyOf('log'), '-', '+')).toBe(log)
    expect(held.isOpen).toBe(false)
    await two.worlds.drain()
    await one.worlds.doubt(one.world())
    await one.put('z')
    expect(one.notes().slice(-3)).toEqual(['x', 'y', 'z'])
  })

  it('loses nothing that was answered where the server is killed, and nothing else is kept', async () => {
    const [one] = (await gateways(1)) as [Gateway]
    await one.put('x')
    const server = await redis.server()
    await server.kill()
    await expect(one.put('unknown')).rejects.toMatchObject({ statusCode: 503 })
    await server.restart()
    await expect.poll(() => one.put('y').catch(() => 0), { interval: 20 }).toBe(201)
    expect(one.notes().slice(-2)).toEqual(['x', 'y'])
  })

  it('keeps its log short by snapshots, with writes going on', async () => {
    const [one, two] = (await gateways(2, { leaseMs: 10_000 })) as [Gateway, Gateway]
    const held = await one.claim()
    for (let round = 0; round < 22; round++)
      await Promise.all(Array.from({ length: 50 }, (_, index) => one.put(`n${round}-${index}`, held)))
    await one.put('last', held)
    expect(Number(await cli('XLEN', keyOf('log')))).toBeLessThan(1000)
    const before = one.notes()
    await one.connection.close()
    await cli('DEL', keyOf('lease'))
    await two.claim()
    expect(two.notes()).toEqual(before)
  })

  it('is put back with all of its family, wherever they are held', async () => {
    const [one, two] = (await gateways(2)) as [Gateway, Gateway]
    const kept = await one.claim('a-token')
    await kept.run(() => one.adapter.fetch('/v1/notes/x', { method: 'DELETE' }))
    await one.put('x')
    const reported: string[] = []
    await two.worlds.reset('sim-notes', async ({ gateway }, name) => {
      reported.push(`${gateway} ${name}`)
      one.worlds.forget(name)
    })
    expect(reported.toSorted()).toEqual(['g0 sim-notes', 'g0 sim-notes/a-token'])
    expect(await one.put('y')).toBe(201)
    expect(one.notes()).not.toContain('x')
  })

  it('gives way to others when there are too many of its family', async () => {
    const [one] = (await gateways(1, { max: 2 })) as [Gateway]
    for (const token of ['t1', 't2', 't3']) await (await one.claim(token)).run(() => undefined)
    const exists = (token: string): Promise<string> => cli('EXISTS', keyOf('lease', `sim-notes%2F${token}`))
    expect(await Promise.all(['t1', 't2', 't3'].map(exists))).toEqual(['0', '1', '1'])
  })

  it('says so where it cannot be restored, until it is put back', async () => {
    const [one] = (await gateways(1)) as [Gateway]
    await cli('SET', keyOf('s'), '{"adapter":"sim-other"}')
    await expect(one.claim()).rejects.toMatchObject({ code: 'SIM_WORLD_UNREADABLE', statusCode: 503 })
    await one.worlds.reset('sim-notes', () => Promise.resolve())
    expect(await one.put('x')).toBe(201)
  })
})
