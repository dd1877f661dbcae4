import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { StateUnusable } from '../../errors.ts'
import { machineNow } from '../clock.ts'
import { fieldsOf, numberOf, readLogEntry, type ChangeLog, type StreamRow } from './change-log.ts'
import type { RedisConnection } from './connection.ts'
import { beat, fence, leave, report } from './fleet-scripts.ts'
import type { CommonKeys } from './keys.ts'
import { BEAT_COUNTS_MS, BEAT_MS, readLiving, UNSURE_MS, type Living } from './living.ts'
import { readClock, type StateClock } from './state-clock.ts'

/** What the gateways of one state are known by. */
export interface GatewaysOptions {
  readonly connection: RedisConnection
  readonly keys: CommonKeys
  readonly name: string
  readonly instance: string
  /** Where others reach this one. */
  readonly peer: string | undefined
  readonly clock: StateClock
  readonly log: ChangeLog
  /** Passes on all that was noted until now. */
  readonly flush: () => Promise<void>
  /** Hears what those who watch sessions are to know. */
  readonly hear: (event: Readonly<Record<string, string>>) => void
  /** Says what went wrong in the background. */
  readonly warn: (text: string) => void
}

type Kind = 'v' | 'f'

interface Waiting {
  /** Names by instance. */
  readonly missing: Map<string, string>
  /** Those that could not do it. */
  readonly failed: string[]
  /** Those that are no longer there. */
  readonly gone: string[]
  end: () => void
}

const MAX_EARLY = 256
// A server next door answers at once; one that is far away is read no more often than so.
const CLOCK_READINGS = 20
const CLOCK_ERROR_MS = 0.5

const BLOCK_MS = 1000

/** All gateways of one state: who is there, and what they have done. */
export class Gateways {
  /** Who was there when this one last said that it is. */
  living: readonly Living[] = []
  /** Ends when this one has heard what it missed while the server was away, or could not. */
  caughtUp = Promise.resolve()
  readonly #options: GatewaysOptions
  readonly #waiting = new Map<string, Waiting>()
  /** What was heard before it was waited for. */
  readonly #early = new Map<string, (readonly [instance: string, problem: string])[]>()
  #fenced = 0
  #heard = '0-0'
  #event = '0-0'
  #sureAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #listening: Promise<void> | undefined
  #unfollow: (() => void) | undefined
  #isClosed = false

  constructor(options: GatewaysOptions) {
    this.#options = options
  }

  /** Whether it is not known that this gateway has all changes, though the server can be requested. */
  get isUnsure(): boolean {
    return this.#options.connection.isUp && performance.now() - this.#sureAt > UNSURE_MS
  }

  /** Joins the others. @throws StateUnusable where another has the same name */
  async open(): Promise<void> {
    const { name, log } = this.#options
    const until = performance.now() + 2 * BEAT_COUNTS_MS
    let joined = await this.#beat()
    while (joined === undefined) {
      if (performance.now() > until)
        throw new StateUnusable([`There is a gateway called ${name} already: give this one another name`])
      await wait(BEAT_MS)
      joined = await this.#beat()
    }
    log.begin(joined.version)
    this.#fenced = joined.fence
    this.#event = await this.#lastEvent()
    this.#sureAt = performance.now()
    await this.#setClock()
    this.#timer = setInterval(() => void this.#keepUp(), BEAT_MS).unref()
    this.#unfollow = this.#options.connection.follow((isUp) => {
      if (isUp) this.caughtUp = this.#keepUp()
    })
    this.#listening = this.#listen()
  }

  /**
   * Waits until others have done something, for so long.
   * @returns the names of those that have not, and of those that are no longer there
   */
  async waitFor(
    kind: Kind,
    number: number,
    living: readonly Living[],
    ms: number,
  ): Promise<{ missing: readonly string[]; gone: readonly string[] }> {
    this.living = living
    const others = living.filter(({ instance }) => instance !== this.#options.instance)
    if (others.length === 0) return { missing: [], gone: [] }
    const key = `${kind}${number}`
    const missing = new Map(others.map((each) => [each.instance, each.name]))
    const waiting: Waiting = { missing, failed: [], gone: [], end: () => undefined }
    for (const [done, problem] of this.#early.get(key) ?? []) settle(waiting, done, problem)
    this.#early.delete(key)
    if (missing.size > 0) {
      this.#waiting.set(key, waiting)
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        waiting.end = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
      this.#waiting.delete(key)
    }
    return { missing: [...missing.values(), ...waiting.failed], gone: waiting.gone }
  }

  /** Has all gateways pass on what they have noted until now. @returns the names of those that have not in that time */
  async fence(ms: number): Promise<readonly string[]> {
    const { connection, keys, instance, flush } = this.#options
    const own = flush()
    own.catch(() => undefined)
    const [number, flat] = (await connection.run(
      fence,
      [keys.fence, keys.fences, keys.gateways, keys.lost],
      [instance, BEAT_COUNTS_MS],
    )) as [number, string[]]
    const { missing } = await this.waitFor('f', number, readLiving(flat), ms)
    await own
    return missing
  }

  async close(): Promise<void> {
    const { connection, keys, name, instance } = this.#options
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#unfollow?.()
    for (const { end } of this.#waiting.values()) end()
    // Wakes the reader of its own inbox.
    await connection.run(report, [keys.inbox(instance)], ['end', 0, instance, '']).catch(() => undefined)
    await this.#listening
    await connection
      .run(leave, [keys.gateways, keys.inbox(instance)], [name, instance])
      .catch(() => undefined)
  }

  // What arrives at gateways is ordered by it from the first request on.
  async #setClock(): Promise<void> {
    const { connection, clock } = this.#options
    for (let count = 0; count < CLOCK_READINGS && clock.errorMs > CLOCK_ERROR_MS; count++) {
      await readClock(connection, clock)
    }
  }

  async #beat(): Promise<{ version: number; fence: number } | undefined> {
    const { connection, keys, name, instance, peer = '-', clock, log } = this.#options
    const [sent, before] = [performance.now(), machineNow()]
    const [seconds, micros, version, fenced, other, flat] = (await connection.run(
      beat,
      [keys.gateways, keys.version, keys.lost, keys.fence],
      [name, instance, log.applied, peer === '' ? '-' : peer, BEAT_COUNTS_MS],
    )) as [string, string, number, number, string, string[]]
    clock.note([seconds, micros], before, machineNow())
    if (other !== '') return undefined
    this.living = readLiving(flat)
    for (const waiting of this.#waiting.values())
      for (const [instance, gone] of waiting.missing)
        if (!this.living.some((each) => each.instance === instance)) {
          waiting.gone.push(gone)
          settle(waiting, instance, '')
        }
    if (version <= log.applied) this.#sureAt = sent
    return { version, fence: fenced }
  }

  async #keepUp(): Promise<void> {
    const { connection, log, name, warn } = this.#options
    if (this.#isClosed || !connection.isUp) return
    try {
      const [sent, applied] = [performance.now(), log.applied]
      const heard = await this.#beat()
      if (heard === undefined) return warn(`Another gateway of the shared state is called ${name} as well`)
      if (log.isForgotten || heard.version < applied) await log.restart(heard.version)
      else await log.reach(heard.version)
      this.#sureAt = sent
    } catch {
      // The connection says why, and the next beat tries again.
    }
  }

  // Reads what is changed, who wants what was noted, and who has done what, as it is written.
  async #listen(): Promise<void> {
    const { connection, keys, instance, log } = this.#options
    let reader: RedisConnection | undefined
    while (!this.#isClosed) {
      try {
        reader ??= await connection.duplicate(3 * BLOCK_MS)
        const found = (await reader.command([
          ...['XREAD', 'COUNT', '200', 'BLOCK', String(BLOCK_MS), 'STREAMS'],
          ...[keys.log, keys.fences, keys.inbox(instance), keys.events],
          ...[`${log.applied}-0`, `${this.#fenced}-0`, this.#heard, this.#event],
        ])) as (readonly [string, readonly StreamRow[]])[] | null
        for (const [stream, rows] of found ?? []) {
          if (stream === keys.log) await this.#hearChanges(rows)
          else if (stream === keys.fences) this.#hearFences(rows)
          else if (stream === keys.events) this.#hearEvents(rows)
          else this.#hear(rows)
        }
      } catch {
        if (!this.#isClosed) await wait(50)
      }
    }
    await reader?.close()
  }

  async #hearChanges(rows: readonly StreamRow[]): Promise<void> {
    const { instance, log, warn } = this.#options
    for (const row of rows) {
      const entry = readLogEntry(row)
      const problem = await log.take(entry)
      if (problem !== undefined) warn(`A change of another gateway is not in force here: ${problem.message}`)
      if (entry.by !== instance) await this.#report(entry.by, 'v', entry.version, problem?.message ?? '')
    }
  }

  #hearFences(rows: readonly StreamRow[]): void {
    const { instance, flush } = this.#options
    for (const row of rows) {
      const number = numberOf(row)
      this.#fenced = Math.max(this.#fenced, number)
      const { by = '' } = fieldsOf(row)
      if (by === instance) continue
      // What cannot be passed on now is not confirmed, and who requested goes on without it, or fails.
      void flush()
        .then(() => this.#report(by, 'f', number, ''))
        .catch(() => undefined)
    }
  }

  #hearEvents(rows: readonly StreamRow[]): void {
    for (const row of rows) {
      this.#event = row[0]
      this.#options.hear(fieldsOf(row))
    }
  }

  async #lastEvent(): Promise<string> {
    const { connection, keys } = this.#options
    const rows = await connection.command(['XREVRANGE', keys.events, '+', '-', 'COUNT', '1'])
    return (rows as StreamRow[])[0]?.[0] ?? '0-0'
  }

  #hear(rows: readonly StreamRow[]): void {
    for (const row of rows) {
      this.#heard = row[0]
      const { k = '', n = '', g = '', p = '' } = fieldsOf(row)
      const waiting = this.#waiting.get(`${k}${n}`)
      if (waiting !== undefined) settle(waiting, g, p)
      else this.#hearEarly(`${k}${n}`, g, p)
    }
  }

  #hearEarly(key: string, instance: string, problem: string): void {
    const known = this.#early.get(key) ?? []
    known.push([instance, problem])
    this.#early.set(key, known)
    const [oldest] = this.#early.keys()
    if (this.#early.size > MAX_EARLY && oldest !== undefined) this.#early.delete(oldest)
  }

  async #report(to: string, kind: Kind, number: number, problem: string): Promise<void> {
    const { connection, keys, instance } = this.#options
    await connection.run(report, [keys.inbox(to)], [kind, number, instance, problem])
  }
}

function settle({ missing, failed, end }: Waiting, instance: string, problem: string): void {
  const name = missing.get(instance)
  if (name === undefined) return
  missing.delete(instance)
  if (problem !== '') failed.push(name)
  if (missing.size === 0) end()
}

/** A name for one run of a gateway. */
export function drawInstance(): string {
  return randomUUID().slice(0, 13)
}
