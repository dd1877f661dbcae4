import { SimError, StateElsewhere, WorldUnreadable } from '../../errors.ts'
import type { Hold, OwnedState } from '../world.ts'
import type { Ask } from './scripts.ts'
import { HOLDER_KNOWN_MS, type HeldWorld, type Holder, type OwnedStates } from '../worlds.ts'
import { holdWorld, leave, MOVED, type WorldKeys } from './held-world.ts'
import { createLease, type Lease } from './lease.ts'
import { appendWorld, endWorld, openWorld, storeWorld } from './world-scripts.ts'

/** What worlds are kept with. */
export interface WorldsOptions {
  readonly ask: Ask
  /** What the keys of all have in common, such as `sim:{shop}`. */
  readonly namespace: string
  readonly gateway: string
  /** This process of it: what nobody else is called. */
  readonly id: string
  /** Where other gateways reach this one; known once it listens. */
  readonly peer: () => Promise<string | undefined>
  /** How long a world is held by a gateway that is no longer heard of. Default: ten seconds. */
  readonly leaseMs?: number | undefined
  /** How many worlds there may be of one family. */
  readonly max: number
}

const IDLE_MS = 60_000
const PAGE = 200

/** Keeps worlds in Redis. */
export function createWorlds({
  ask,
  namespace,
  gateway,
  id,
  peer,
  leaseMs,
  max,
}: WorldsOptions): OwnedStates {
  const holding = new Map<string, HeldWorld>()
  const claims = new Map<string, Promise<HeldWorld | Holder>>()
  const ending = new Map<string, Promise<void>>()
  const others = new Map<string, { readonly holder: Holder; readonly until: number }>()
  let isEnding = false
  let sweep: NodeJS.Timeout | undefined

  const keysOf = (world: string): WorldKeys => {
    // No session can be called so.
    const tag = `${namespace.slice(0, -1)}/!${encodeURIComponent(world)}}`
    return { lease: `${tag}:lease`, facts: `${tag}:m`, log: `${tag}:log`, snapshot: `${tag}:s` }
  }
  const listOf = (family: string): string => `${namespace}:worlds:${encodeURIComponent(family)}`
  const held = (world: OwnedState): HeldWorld | undefined => {
    const found = holding.get(world.name)
    return found?.world === world && found.isOpen ? found : undefined
  }
  const put = async (family: string, world: string): Promise<Holder | undefined> => {
    const { lease, facts, log, snapshot } = keysOf(world)
    const text = String(await ask.run(endWorld, [lease, facts, log, snapshot], []))
    if (world !== family) await ask.command(['ZREM', listOf(family), world])
    return readHolder(text)
  }
  const sweepIdle = (): void => {
    const since = performance.now() - IDLE_MS
    for (const each of holding.values()) if (each.usedAt < since) void giveUp(each)
  }
  const giveUp = (held: HeldWorld): Promise<void> => {
    holding.delete(held.world.name)
    const ended = held.giveUp()
    ending.set(held.world.name, ended)
    return ended
  }
  // Those used least lately give way, as sessions do in one process.
  const list = async ({ family, name: world }: OwnedState): Promise<void> => {
    if (world === family) return
    const key = listOf(family)
    await ask.command(['ZADD', key, String(Date.now()), world])
    const count = Number(await ask.command(['ZCARD', key]))
    if (count <= max) return
    for (const old of (await ask.command(['ZRANGE', key, '0', String(count - max - 1)])) as string[])
      await put(family, old)
  }
  const restore = async (world: OwnedState, keys: WorldKeys, counts: string): Promise<number> => {
    let left = 0
    const snapshot = (await ask.command(['GET', keys.snapshot])) as string | null
    if (snapshot !== null) world.restore(snapshot)
    for (let from = '-'; ;) {
      const page = (await ask.command(['XRANGE', keys.log, from, '+', 'COUNT', String(PAGE)])) as Entry[]
      for (const [, [, entry = '']] of page) await world.redo(entry)
      left += page.length
      if (page.length < PAGE) break
      from = `(${page.at(-1)?.[0] ?? ''}`
    }
    if (counts !== '') world.setCounts(counts)
    return left
  }
  const open = async (world: OwnedState): Promise<HeldWorld | Holder> => {
    await ending.get(world.name)
    ending.delete(world.name)
    if (isEnding) return holderOf(world)
    const keys = keysOf(world.name)
    const me = JSON.stringify({ id, gateway, peer: await peer() } satisfies Holder)
    const ended = (end: Promise<void>): void => {
      if (holding.get(world.name) === opened) holding.delete(world.name)
      ending.set(world.name, end)
    }
    const lease = createLease({
      ...{ ask, key: keys.lease, holder: me, ...(leaseMs !== undefined && { ms: leaseMs }) },
      onLost: () => opened?.end(),
    })
    let opened: HeldWorld | undefined
    if (!(await lease.take())) return noted(world, lease.holder ?? '')
    try {
      await prepare(keys)
      const [term, seq, counts = ''] = (await ask.run(openWorld, [keys.lease, keys.facts], [me])) as string[]
      if (term === undefined) throw new StateElsewhere(MOVED, 1)
      await list(world)
      await world.begin(holdOf(lease, keys, Number(term)))
      const left = await restore(world, keys, counts).catch((cause: unknown) => {
        if (SimError.is(cause) && cause.code.startsWith('SIM_STATE_')) throw cause
        throw new WorldUnreadable(world.family, { cause })
      })
      opened = holdWorld({
        ...{ ask, world, lease, keys, left, onEnd: ended },
        ...{ term: Number(term), seq: Number(seq) },
      })
    } catch (error) {
      ended(leave(world, lease))
      throw error
    }
    if (!lease.isHeld) {
      opened.end()
      throw new StateElsewhere('it took too long to restore it', 1)
    }
    holding.set(world.name, opened)
    sweep ??= setInterval(sweepIdle, IDLE_MS / 6).unref()
    return opened
  }
  const holdOf = (lease: Lease, keys: WorldKeys, term: number): Hold => ({
    async confirm() {
      const isSame = Number(await ask.command(['HGET', keys.facts, 'term'])) === term
      if (!isSame || !lease.isHeld) throw new StateElsewhere(MOVED, 1)
    },
  })
  // A script that the server has to be sent first would come behind those after it: once, they write nothing.
  const prepare = ({ facts, log, snapshot }: WorldKeys): Promise<unknown> =>
    Promise.all([appendWorld, storeWorld].map((script) => ask.run(script, [facts, log, snapshot], [-1, 0])))
  const noted = (world: OwnedState, text: string): Holder => {
    const holder = readHolder(text)
    if (holder === undefined) throw new StateElsewhere('it is not known which that is', 1)
    others.set(world.name, { holder, until: performance.now() + HOLDER_KNOWN_MS })
    return holder
  }
  const leaseOf = async ({ name }: OwnedState): Promise<string> =>
    ((await ask.command(['GET', keysOf(name).lease])) as string | null) ?? ''
  const holderOf = async (world: OwnedState): Promise<Holder> => {
    const text = await leaseOf(world)
    if (text === '') throw new StateElsewhere('this gateway is about to end', 1)
    return noted(world, text)
  }
  return {
    held,
    claim(world) {
      const known = others.get(world.name)
      if (known !== undefined && known.until > performance.now()) return Promise.resolve(known.holder)
      const underWay = claims.get(world.name)
      if (underWay !== undefined) return underWay
      const mine = held(world)
      if (mine !== undefined) return Promise.resolve(mine)
      const stale = holding.get(world.name)
      stale?.end()
      const claim = open(world).finally(() => claims.delete(world.name))
      claims.set(world.name, claim)
      return claim
    },
    holder: async (world) => readHolder(await leaseOf(world)),
    async doubt(world) {
      others.delete(world.name)
      return Math.max(0, Number(await ask.command(['PTTL', keysOf(world.name).lease])))
    },
    async reset(family, report) {
      const tokens = (await ask.command(['ZRANGE', listOf(family), '0', '-1'])) as string[]
      await Promise.all(
        [family, ...tokens].map(async (world) => {
          const holder = await put(family, world)
          others.delete(world)
          if (holder?.id === id) holding.get(world)?.end()
          else if (holder !== undefined) await report(holder, world)
        }),
      )
    },
    forget: (world) => holding.get(world)?.end(),
    async drain() {
      isEnding = true
      clearInterval(sweep)
      await Promise.all([...claims.values()].map((claim) => claim.catch(() => undefined)))
      await Promise.all([...holding.values()].map(giveUp))
      await Promise.all(ending.values())
    },
  }
}

type Entry = readonly [id: string, fields: readonly string[]]

function readHolder(text: string): Holder | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Holder)
}
