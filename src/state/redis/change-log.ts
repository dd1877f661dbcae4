import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { StateUnavailable } from '../../errors.ts'
import type { RedisConnection } from './connection.ts'
import { BEAT_COUNTS_MS, readLiving, type Living } from './living.ts'
import { change } from './fleet-scripts.ts'
import type { CommonKeys } from './keys.ts'
import { releaseLease } from './lease.ts'
import { pairsOf, type Ask } from './scripts.ts'

/** One part of a session that has another value; the session `*` is the gateway itself. */
export type PartChange = readonly [session: string, part: string, value: string]

/** An entry of the log. */
export interface LogEntry {
  readonly version: number
  /** The instance that made it. */
  readonly by: string
  readonly changes: readonly PartChange[]
}

/** What a change log is made of. */
export interface ChangeLogOptions {
  readonly connection: RedisConnection
  readonly keys: CommonKeys
  readonly instance: string
  /** Puts changes in force here. @throws what is in the way: the entry counts as applied all the same */
  readonly apply: (entry: LogEntry) => Promise<void>
  /** Reads everything anew: the log no longer has what is missing. */
  readonly resync: () => Promise<void>
}

const LOCK_MS = 10_000
/** How long a change waits for another to end. */
export const LOCK_WAIT_MS = 5000
/** How long a gateway may lack a change before it stops answering. */
export const BEHIND_MS = 2000

/** Changes of what all gateways know, in one order. */
export class ChangeLog {
  /** The latest version that is in force here. */
  applied = 0
  /** The latest that is known to be there. */
  #head = 0
  #lacksSince: number | undefined
  #isForgotten = false
  #work: Promise<unknown> = Promise.resolve()
  readonly #options: ChangeLogOptions

  constructor(options: ChangeLogOptions) {
    this.#options = options
  }

  /** Whether this gateway has lacked a change for too long. */
  get isBehind(): boolean {
    return this.#lacksSince !== undefined && performance.now() - this.#lacksSince > BEHIND_MS
  }

  /** Begins after a version. */
  begin(version: number): void {
    this.applied = this.#head = version
    this.#lacksSince = undefined
  }

  /** Applies an entry, after those before it. @returns the problem that it met */
  take(entry: LogEntry): Promise<Error | undefined> {
    return this.#inTurn(() => this.#take(entry))
  }

  /** Notes the latest version there is, and applies what is missing of it. */
  async reach(version: number): Promise<void> {
    this.#head = Math.max(this.#head, version)
    if (version <= this.applied) return
    this.#lacksSince ??= performance.now()
    await this.#inTurn(() => this.#catchUp())
  }

  /** What was applied is no longer there: everything is to be read anew. */
  forget(): void {
    this.#isForgotten = true
  }

  get isForgotten(): boolean {
    return this.#isForgotten
  }

  /** Reads everything anew, and goes on after a version. */
  restart(version: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#options.resync()
      this.begin(version)
      this.#isForgotten = false
    })
  }

  /** Runs work while no gateway makes another change, on one that has applied all there are. */
  async locked<Result>(work: (lock: string) => Promise<Result>): Promise<Result> {
    const { connection, keys } = this.#options
    const lock = randomUUID()
    const until = performance.now() + LOCK_WAIT_MS
    for (let ms = 1; ; ms = Math.min(20, ms * 2)) {
      const [isTaken, latest] = await Promise.all([
        takesLock(connection, keys, lock),
        connection.command(['GET', keys.version]),
      ])
      if (isTaken) return this.#underLock(lock, Number(latest ?? 0), work)
      if (performance.now() > until)
        throw new StateUnavailable('another gateway has been changing it for more than 5 s')
      await wait(ms * (0.5 + Math.random()))
    }
  }

  async #underLock<Result>(
    lock: string,
    version: number,
    work: (lock: string) => Promise<Result>,
  ): Promise<Result> {
    const { connection, keys } = this.#options
    try {
      await (this.#isForgotten ? this.restart(version) : this.reach(version))
      return await work(lock)
    } finally {
      // Whoever asks next on this connection comes after it.
      void connection.run(releaseLease, [keys.lock], [lock]).catch(() => undefined)
    }
  }

  /** Makes changes under a lock. Returns the version, and who has to apply it. @throws StateUnavailable where the lock was lost */
  make(
    lock: string,
    changes: readonly PartChange[],
  ): Promise<{ version: number; living: readonly Living[] }> {
    const { connection, keys, instance } = this.#options
    return sendChanges(connection, keys, { lock, by: instance, changes })
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }

  async #take(entry: LogEntry): Promise<Error | undefined> {
    if (entry.version <= this.applied) return undefined
    if (entry.version > this.applied + 1) await this.#catchUp()
    if (entry.version <= this.applied) return undefined
    return this.#apply(entry)
  }

  async #apply(entry: LogEntry): Promise<Error | undefined> {
    const problem = await this.#options.apply(entry).then(
      () => undefined,
      (error: Error) => error,
    )
    this.applied = entry.version
    this.#head = Math.max(this.#head, entry.version)
    if (this.applied >= this.#head) this.#lacksSince = undefined
    return problem
  }

  async #catchUp(): Promise<void> {
    const { connection, keys, resync } = this.#options
    while (this.applied < this.#head) {
      const rows = (await connection.command([
        ...['XRANGE', keys.log, `(${this.applied}-0`, '+', 'COUNT', '500'],
      ])) as StreamRow[]
      const entries = rows.map(readLogEntry)
      const [first] = entries
      if (first === undefined || first.version > this.applied + 1) {
        const version = Number((await connection.command(['GET', keys.version])) ?? 0)
        await resync()
        this.begin(version)
        return
      }
      for (const entry of entries) await this.#apply(entry)
    }
  }
}

/** Takes the lock of all who change the state; `false` where another has it. */
export async function takesLock(server: Ask, keys: CommonKeys, lock: string): Promise<boolean> {
  return (await server.command(['SET', keys.lock, lock, 'NX', 'PX', String(LOCK_MS)])) !== null
}

/**
 * Appends changes to the log under a lock.
 * @returns their version, and the gateways that have to apply it
 * @throws StateUnavailable where the lock was lost
 */
export async function sendChanges(
  server: Ask,
  keys: CommonKeys,
  {
    lock,
    by,
    changes,
  }: { readonly lock: string; readonly by: string; readonly changes: readonly PartChange[] },
): Promise<{ version: number; living: readonly Living[] }> {
  const sessions = [...new Set(changes.map(([session]) => session))]
  const [version, living] = (await server.run(
    change,
    [
      ...[keys.version, keys.log, keys.gateways, keys.lock, keys.sessions],
      ...sessions.map((session) => keys.parts(session)),
    ],
    [
      ...[lock, by, BEAT_COUNTS_MS, JSON.stringify(changes)],
      ...changes.flatMap(([session, part, value]) => [sessions.indexOf(session) + 1, session, part, value]),
    ],
  )) as [number, string[]]
  if (version === 0) throw new StateUnavailable('this change took so long that another may have been made')
  return { version, living: readLiving(living) }
}

/** A row of a stream, as the server gives it. */
export type StreamRow = readonly [id: string, fields: readonly string[]]

/** The fields of a row by name. */
export function fieldsOf([, flat]: StreamRow): Readonly<Record<string, string>> {
  return Object.fromEntries(pairsOf(flat))
}

/** The number that an id such as `17-0` stands for. */
export function numberOf([id]: StreamRow): number {
  return Number.parseInt(id, 10)
}

/** Reads a row of the log. */
export function readLogEntry(row: StreamRow): LogEntry {
  const { by = '', c = '[]' } = fieldsOf(row)
  return { version: numberOf(row), by, changes: JSON.parse(c) as PartChange[] }
}
