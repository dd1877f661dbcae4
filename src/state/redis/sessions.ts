import type { JournalRecord } from '../journal.ts'
import type { SharedSetting } from '../shared-state.ts'
import type { Session } from '../session.ts'
import { applySession, type Sessions, type Unkeyed } from '../sessions.ts'
import { StateBehind } from '../../errors.ts'
import type { PartChange } from './change-log.ts'
import { meetSession, useSessions } from './fleet-scripts.ts'
import { followNotes } from './follow.ts'
import type { CommonKeys } from './keys.ts'
import { createKnownSession, notesKeys, type KnownSession, type NotedBy } from './known-session.ts'
import { pairsOf } from './scripts.ts'
import { importParts } from './session-parts.ts'

/** What sessions are kept with. */
export interface SharedSessionsOptions extends NotedBy {
  readonly keys: CommonKeys
  /** Why nothing may be answered now; `undefined` where nothing is in the way. */
  readonly obstacle: () => string | undefined
  /** Ends when what was missed while the server was away has been heard. */
  readonly caughtUp: () => Promise<void>
  /** Ends a session on all gateways. */
  readonly end: (key: string) => Promise<boolean>
}

/** So many are kept for gateways that read them later than others. */
const MAX_EVENTS = '1000'

/** The sessions of a state that gateways share, as far as this one has met them. */
export class SharedSessions implements Sessions {
  readonly #options: SharedSessionsOptions
  readonly #known = new Map<string, KnownSession>()
  readonly #loading = new Map<string, Promise<KnownSession>>()
  /** Those of which a part was changed while they were read. */
  readonly #stale = new Set<string>()
  readonly #settings = new Map<string, SharedSetting>()
  readonly #expireMs: number
  #numbers = 0

  constructor(options: SharedSessionsOptions) {
    this.#options = options
    this.#expireMs = Math.round((options.parts.idleSeconds ?? 600) * 10_000)
  }

  /** How long the keys of a session outlive its last use, should nobody be there to end it. */
  get expireMs(): number {
    return this.#expireMs
  }

  readonly ofRequest = (request: Unkeyed): Session | Promise<Session> => {
    const key = applySession(request)
    const obstacle = this.#options.obstacle()
    // What looks into the gateway is answered all the same.
    if (obstacle !== undefined && !request.path.startsWith('/__sim')) return this.#onceCaughtUp(key)
    return this.of(key)
  }

  // As the server comes back, what this gateway has missed is a moment away.
  async #onceCaughtUp(key: string): Promise<Session> {
    await this.#options.caughtUp()
    const obstacle = this.#options.obstacle()
    if (obstacle !== undefined) throw new StateBehind(obstacle)
    return this.of(key)
  }

  of(key: string): Session | Promise<Session> {
    const known = this.#known.get(key)
    if (known === undefined) return this.meet(key, true).then(({ session }) => session)
    known.isUsed = true
    return known.session
  }

  /** The session of a key, with what there is of it here. @param isUsed whether that counts as a use of it */
  async meet(key: string, isUsed = false): Promise<KnownSession> {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const loading = this.#loading.get(key)
    if (loading !== undefined) return loading
    const begun = this.#begin(key, isUsed)
    this.#loading.set(key, begun)
    try {
      return await begun
    } finally {
      this.#loading.delete(key)
      this.#stale.delete(key)
    }
  }

  /** One that is known here. */
  find(key: string): KnownSession | undefined {
    return this.#known.get(key)
  }

  all(): readonly Session[] {
    return [...this.#known.values()].map(({ session }) => session)
  }

  async reset(session: Session): Promise<void> {
    const { seed, chaos } = this.#options.parts
    await session.reset()
    session.seed = seed
    session.chaos.use(chaos)
  }

  follow(listener: (record: JournalRecord) => void): () => void {
    const { connection, namespace, keys, clock } = this.#options
    return followNotes(
      { connection, keys, now: clock.now, streamOf: (key) => notesKeys(namespace, key).journal[0] },
      listener,
    )
  }

  end(key: string): Promise<boolean> {
    return this.#options.end(key)
  }

  /** Has a setting of the gateway itself follow that of the others. */
  async share(name: string, setting: SharedSetting): Promise<void> {
    this.#settings.set(name, setting)
    await this.#readSettings()
  }

  /** The settings of the gateway itself, as they are. */
  settings(): ReadonlyMap<string, string> {
    return new Map([...this.#settings].map(([name, setting]) => [name, setting.export()]))
  }

  /** Puts a change in force. @throws what a setting refuses */
  async apply(version: number, changes: readonly PartChange[]): Promise<void> {
    for (const key of new Set(changes.map(([session]) => session))) {
      const own = changes.filter(([session]) => session === key)
      const parts = Object.fromEntries(own.map(([, part, value]) => [part, value]))
      if (key === '*') await this.#importSettings(parts)
      else await this.#importSession(key, version, parts)
    }
  }

  /** Passes on what some gateway has published to those who watch it at this one. */
  hear({ session = '', subject = '', change = 'null' }: Readonly<Record<string, string>>): void {
    this.#known.get(session)?.watchers.notify(subject, JSON.parse(change))
  }

  /** Reads anew all that is known. */
  async resync(): Promise<void> {
    await this.#readSettings()
    for (const [key, known] of [...this.#known]) {
      known.version = 0
      const { version, parts } = await this.#read(key, false)
      await this.#importSession(key, version, parts)
    }
  }

  /** Passes on what all sessions have noted until now. */
  async flush(): Promise<void> {
    const flushes = [...this.#known.values()].map(async ({ state, journal, faults }) => {
      await Promise.all([state.flush(), journal?.flush(), faults?.flush()])
    })
    await Promise.all(flushes)
  }

  /** Says of the sessions that were used that they were. */
  async reportUse(): Promise<void> {
    const { connection, keys } = this.#options
    const used = [...this.#known].filter(([key, { isUsed }]) => isUsed && key !== '').map(([key]) => key)
    for (const known of this.#known.values()) known.isUsed = false
    if (used.length === 0) return
    await connection.run(
      useSessions,
      [keys.sessions, ...used.map((key) => keys.parts(key))],
      [this.#expireMs, ...used],
    )
  }

  async #publish(session: string, subject: string, change: unknown): Promise<void> {
    const { connection, keys } = this.#options
    await connection.command([
      ...['XADD', keys.events, 'MAXLEN', '~', MAX_EVENTS, '*'],
      ...['session', session, 'subject', subject, 'change', JSON.stringify(change)],
    ])
  }

  async #begin(key: string, isUsed: boolean): Promise<KnownSession> {
    for (;;) {
      this.#stale.delete(key)
      const { version, parts } = await this.#read(key, isUsed)
      if (this.#stale.has(key)) continue
      const known = createKnownSession({
        ...{ ...this.#options, key, since: Number(parts['since']), expireMs: this.#expireMs },
        nextId: () => ++this.#numbers,
        publish: (subject, change) => this.#publish(key, subject, change),
      })
      known.version = version
      importParts(known.session, parts)
      this.#known.set(key, known)
      return known
    }
  }

  async #read(
    key: string,
    isUsed: boolean,
  ): Promise<{ version: number; parts: Readonly<Record<string, string>> }> {
    const { connection, keys } = this.#options
    const [version, flat] = (await connection.run(
      meetSession,
      [keys.parts(key), keys.sessions, keys.version],
      [key, this.#expireMs, Number(isUsed)],
    )) as [number, string[]]
    return { version, parts: Object.fromEntries(pairsOf(flat)) }
  }

  async #readSettings(): Promise<void> {
    const { connection, keys } = this.#options
    const flat = (await connection.command(['HGETALL', keys.parts('*')])) as string[]
    await this.#importSettings(Object.fromEntries(pairsOf(flat)))
  }

  async #importSettings(parts: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, setting] of this.#settings) {
      const text = parts[name]
      if (text !== undefined && text !== setting.export()) await setting.import(text)
    }
  }

  async #importSession(key: string, version: number, parts: Readonly<Record<string, string>>): Promise<void> {
    if (this.#loading.has(key)) this.#stale.add(key)
    const known = this.#known.get(key)
    if (known === undefined || version <= known.version) return
    if (parts['ended'] !== undefined) return this.#forget(key, known)
    const { session, state } = known
    const { resets } = session
    const isOther = importParts(session, parts)
    if (session.resets !== resets) {
      known.clearOwn()
      state.forget()
    } else if (isOther) await state.flush()
    known.version = version
  }

  #forget(key: string, { session, state, journal, faults }: KnownSession): void {
    this.#known.delete(key)
    state.forget()
    journal?.drop()
    faults?.drop()
    // Nobody is left waiting by a clock that nobody can move.
    session.clock.freeze()
    session.clock.reset()
    this.#options.parts.onEnd?.(session)
  }
}
