import type { Seed } from '../../engine/random.ts'
import type { StateHealth, SharedState } from '../shared-state.ts'
import type { NamedState, StateOptions } from '../state-options.ts'
import type { StoreSnapshot } from '../store.ts'
import { ChangeLog } from './change-log.ts'
import { connect, type RedisConnection } from './connection.ts'
import { agreeOnSeed, problemsOfFingerprints, type Fingerprints } from './fingerprints.ts'
import { drawInstance, Gateways } from './gateways.ts'
import { openJanitor } from './janitor.ts'
import { commonKeys, namespaceOf } from './keys.ts'
import type { SharedSessionsParts } from './known-session.ts'
import { createPending } from './notes.ts'
import { createSessionStates } from './redis-state.ts'
import { endSessions, runShared, type RunOptions } from './shared-run.ts'
import { storedCollections } from './session-items.ts'
import { SessionKeys } from './session-keys.ts'
import { SharedSessions } from './sessions.ts'
import { StateClock } from './state-clock.ts'

/** What a gateway brings to the state that it shares with others. */
export interface SharedStateParts extends Omit<SharedSessionsParts, 'stateOf'> {
  readonly fingerprints: Fingerprints
  /** What the app's store holds when a session begins; absent for an app that is not stateful. */
  readonly first: StoreSnapshot | undefined
  /** Says what goes wrong in the background. */
  readonly warn: (text: string) => void
}

/** A state that gateways share, with what other parts of this one need of it. */
export interface RedisState extends SharedState {
  readonly connection: RedisConnection
  readonly gateways: Gateways
  /** What the keys of all sessions begin with, such as `sim:{shop}`. */
  readonly namespace: string
}

/**
 * Joins the gateways that share a state.
 * @throws StateUnusable with all reasons why it cannot, StateUnavailable where the server is not there
 */
export async function openState(options: NamedState, parts: SharedStateParts): Promise<RedisState> {
  const namespace = namespaceOf(options)
  const keys = commonKeys(namespace)
  const { gateway } = options
  const connection = await connect(options, (ask) =>
    problemsOfFingerprints(ask, keys.app, parts.fingerprints, options.app === 'adopt'),
  )
  const states = createSessionStates({ connection, namespace, gateway, first: parts.first })
  const instance = drawInstance()
  const clock = new StateClock()
  const pending = createPending()
  const isJournalShared = options.journal !== 'off'
  const log = new ChangeLog({
    ...{ connection, keys, instance },
    apply: ({ version, changes }) => sessions.apply(version, changes),
    resync: () => sessions.resync(),
  })
  const gateways = new Gateways({
    ...{ connection, keys, instance, name: gateway, peer: options.peer, clock, log, warn: parts.warn },
    flush: () => sessions.flush(),
    hear: (event) => sessions.hear(event),
  })
  const sessions = new SharedSessions({
    parts: { ...parts, stateOf: states.of },
    ...{ connection, namespace, keys, gateway, instance, clock, isJournalShared, pending },
    obstacle: () =>
      log.isBehind
        ? 'it has not applied their changes for more than 2 s'
        : gateways.isUnsure
          ? 'it has not heard of them for more than 2 s'
          : undefined,
    caughtUp: () => gateways.caughtUp,
    end: async (key) => (await endSessions(run, async () => ((await isThere(key)) ? [key] : []))) > 0,
  })
  const run: RunOptions = { connection, keys, gateway, log, gateways, sessions, isJournalShared }
  const isThere = async (key: string): Promise<boolean> =>
    (await connection.command(['ZSCORE', keys.sessions, key])) !== null

  const unwatch = connection.watch({
    async find(ask) {
      const version = Number((await ask.command(['GET', keys.version])) ?? 0)
      return version < log.applied
        ? `it knows ${version} changes of the control plane, of ${log.applied}`
        : undefined
    },
    forget: () => log.forget(),
  })
  let janitor: ReturnType<typeof openJanitor> | undefined
  try {
    await gateways.open()
    await sessions.meet('')
    janitor = openJanitor({ ...run, instance, options: parts, warn: parts.warn })
  } catch (error) {
    await gateways.close()
    await connection.close()
    throw error
  }

  return {
    ...{ gateway, sessions, connection, gateways, namespace, isJournalShared },
    run: (needs, seen, work, chosen) => runShared(run, needs, seen, work, chosen),
    share: (name, setting) => sessions.share(name, setting),
    stats: {
      ...connection.stats,
      get retries() {
        return states.retries
      },
    },
    async totals() {
      const others = (await connection.command(['ZRANGE', keys.sessions, '0', '-1'], true)) as string[]
      const counts = ['', ...others].map(async (key) => {
        const stored = await storedCollections(connection, new SessionKeys(namespace, key))
        return stored.reduce((sum, each) => sum + each.items, 0)
      })
      return {
        sessions: counts.length,
        items: (await Promise.all(counts)).reduce((sum, each) => sum + each, 0),
      }
    },
    health: (): StateHealth => ({
      gateway,
      engine: connection.engine,
      reachable: connection.isUp,
      ...(!connection.isUp && { why: connection.why }),
      version: log.applied,
      gateways: gateways.living.map(({ name }) => name),
      behind: log.isBehind || gateways.isUnsure,
      lost: connection.lost,
      clockErrorSeconds: clock.errorMs / 1000,
      roundTripSeconds: clock.roundTripMs / 1000,
      journalPending: pending.count,
      journalDropped: pending.dropped,
    }),
    async close() {
      await janitor?.close()
      // What it has noted is passed on before it says that it ends.
      if (connection.isUp) await sessions.flush().catch(() => undefined)
      await gateways.close()
      unwatch()
      states.close()
      await connection.close()
    },
  }
}

/**
 * The seed that all gateways of a state use where none was given: that of whoever starts first.
 * @throws StateUnusable, StateUnavailable
 */
export async function agreedSeed(options: StateOptions, drawn: Seed): Promise<Seed> {
  const connection = await connect(options)
  try {
    return await agreeOnSeed(connection, commonKeys(namespaceOf(options)).app, drawn)
  } finally {
    await connection.close()
  }
}
