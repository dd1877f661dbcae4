import { setTimeout as wait } from 'node:timers/promises'
import { SimError, StateLost, StateUnavailable, StateUnusable } from '../../errors.ts'
import type { StateOptions } from '../state-options.ts'
import { readStateAddress } from './address.ts'
import { Incarnation, type LossCheck } from './incarnation.ts'
import { namespaceOf } from './keys.ts'
import { askOn, runScript, type Link, type Links } from './link.ts'
import { linksTo } from './links.ts'
import { reasonOf } from './reasons.ts'
import { problemsOfRights } from './rights.ts'
import type { Ask, Script } from './scripts.ts'
import { engineOf, factsOf, problemsOf, runsScripts } from './server.ts'

/** A connection that is made anew when it is lost. */
export interface RedisConnection extends Ask {
  /** Whether it can be used now. */
  readonly isUp: boolean
  /** Why it was not up, when it was not last. */
  readonly why: string
  /** The incarnation of the state: another where it began anew. */
  readonly born: string
  /** What the server has lost; nothing is sent to it until it has begun anew. */
  readonly lost: string | undefined
  readonly stats: StateStats
  /** What the server is, such as `Redis 7.0.15`. */
  readonly engine: string
  /** Finds out whether the server still has what was seen: an answer has fewer changes of this gateway than the one before. */
  doubt(): void
  /** Has something checked after each reconnect, before anything else is sent. */
  watch(check: LossCheck): () => void
  /** Calls back whenever it is up or no longer. */
  follow(listener: (isUp: boolean) => void): () => void
  /** Goes on with what the server holds now, and all other gateways with it. */
  begin(): Promise<void>
  /** A connection of its own, as blocking reads need. @param quietMs how long nothing may be heard. Default: 2000 */
  duplicate(quietMs?: number): Promise<RedisConnection>
  close(): Promise<void>
}

export type { Ask, LossCheck, StateOptions }

/** What metrics are made of. */
export interface StateStats {
  /** By script or command. */
  readonly calls: Map<string, number>
  /** By code. */
  readonly errors: Map<string, number>
}

const QUIET_MS = 2000
const MAX_WAIT_MS = 300
const RECHECK_MS = 500

/** What all connections of one gateway know of the server. */
interface Common {
  readonly links: Links
  readonly options: StateOptions
  readonly incarnation: Incarnation
  readonly stats: StateStats
  engine: string
}

/**
 * Connects to the server of a shared state.
 * @param more further reasons not to use it, which are named along with the server's own
 * @throws StateUnusable, StateUnavailable
 */
export async function connect(
  options: StateOptions,
  more: (ask: Ask) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<RedisConnection> {
  const common: Common = {
    ...{ links: linksTo(readStateAddress(options.url), namespaceOf(options)), options },
    incarnation: new Incarnation(`${namespaceOf(options)}:born`),
    stats: { calls: new Map(), errors: new Map() },
    engine: '',
  }
  const connection = new Connection(common, QUIET_MS, true)
  try {
    await connection.open(async (ask, link) => {
      const problems: string[] = []
      let mayTry = true
      for (const primary of link.primaries) {
        const info = String(await primary.send(['INFO'], true))
        const facts = factsOf(info)
        common.engine = engineOf(facts)
        mayTry &&= runsScripts(facts)
        problems.push(...problemsOf(info, primary.text))
      }
      const refused = mayTry ? await problemsOfRights(askOn(link), namespaceOf(options), link.text) : []
      problems.push(...refused, ...(refused.length > 0 ? [] : await more(ask)))
      if (problems.length > 0) throw new StateUnusable(problems)
    })
  } catch (error) {
    await connection.close()
    throw error
  }
  return connection
}

class Connection implements RedisConnection {
  readonly #common: Common
  readonly #quietMs: number
  readonly #isMain: boolean
  readonly #followers = new Set<(isUp: boolean) => void>()
  #link: Link | undefined
  #why = 'it was not connected yet'
  #isClosed = false
  #isDoubted = false

  constructor(common: Common, quietMs: number, isMain: boolean) {
    this.#common = common
    this.#quietMs = quietMs
    this.#isMain = isMain
  }

  get isUp(): boolean {
    return this.#link !== undefined && this.#common.incarnation.lost === undefined
  }

  get why(): string {
    return this.#why
  }

  get born(): string {
    return this.#common.incarnation.born
  }

  get lost(): string | undefined {
    return this.#common.incarnation.lost
  }

  get stats(): StateStats {
    return this.#common.stats
  }

  get engine(): string {
    return this.#common.engine
  }

  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const link = this.#link
    if (link === undefined || this.#common.incarnation.lost !== undefined)
      return Promise.reject(this.#noLink())
    const { replicas } = this.#common.options
    return this.#counted(script.name, runScript(link, script, keys, args, replicas))
  }

  command(args: readonly string[], isReadOnly = false): Promise<unknown> {
    const link = this.#link
    if (link === undefined || this.#common.incarnation.lost !== undefined)
      return Promise.reject(this.#noLink())
    return this.#counted(args[0] as string, link.send(args, isReadOnly))
  }

  doubt(): void {
    const link = this.#link
    const { incarnation } = this.#common
    if (link === undefined || this.#isDoubted || incarnation.lost !== undefined) return
    this.#isDoubted = true
    const found = incarnation.meet(this.#askOn(link), this.#isMain)
    void found
      .catch(() => {})
      .finally(() => {
        this.#isDoubted = false
        if (incarnation.lost === undefined) return
        this.#report()
        void this.#recheck(link)
      })
  }

  watch(check: LossCheck): () => void {
    this.#common.incarnation.checks.add(check)
    return () => this.#common.incarnation.checks.delete(check)
  }

  follow(listener: (isUp: boolean) => void): () => void {
    this.#followers.add(listener)
    return () => this.#followers.delete(listener)
  }

  async begin(): Promise<void> {
    const link = this.#link
    if (link === undefined) throw this.#noLink()
    await this.#common.incarnation.begin(this.#askOn(link))
    this.#report()
  }

  async duplicate(quietMs = QUIET_MS): Promise<RedisConnection> {
    const other = new Connection(this.#common, quietMs, false)
    await other.open()
    return other
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const link = this.#link
    this.#link = undefined
    this.#why = 'it was closed'
    await link?.close()
    if (this.#isMain) this.#common.links.close()
  }

  /** The first connection. */
  async open(check?: (ask: Ask, link: Link) => Promise<void>): Promise<void> {
    await this.#connect(check)
    this.#report()
  }

  async #connect(check?: (ask: Ask, link: Link) => Promise<void>): Promise<void> {
    const link = await this.#common.links.open(this.#quietMs, (ended, reason) => this.#ended(ended, reason))
    try {
      await check?.(this.#askOn(link), link)
      const { incarnation, options } = this.#common
      const ask = this.#askOn(link)
      await incarnation.meet(ask, this.#isMain)
      if (incarnation.lost !== undefined && options.lost === 'begin') await incarnation.begin(ask)
    } catch (error) {
      link.drop(error instanceof Error ? error.message : String(error))
      throw error
    }
    if (this.#isClosed) return link.close()
    if (!link.isOpen) throw new StateUnavailable(this.#why)
    this.#link = link
    if (this.#common.incarnation.lost !== undefined) void this.#recheck(link)
  }

  // Another gateway may begin anew for all.
  async #recheck(link: Link): Promise<void> {
    while (link.isOpen && this.#common.incarnation.lost !== undefined) {
      await wait(RECHECK_MS, undefined, { ref: false })
      if (!link.isOpen) return
      await this.#common.incarnation.meet(this.#askOn(link), this.#isMain).catch(() => {})
    }
    this.#report()
  }

  #askOn(link: Link): Ask {
    return askOn(link, this.#common.options.replicas)
  }

  #counted(name: string, reply: Promise<unknown>): Promise<unknown> {
    const { calls, errors } = this.#common.stats
    calls.set(name, (calls.get(name) ?? 0) + 1)
    return reply.catch((error: unknown) => {
      if (SimError.is(error)) errors.set(error.code, (errors.get(error.code) ?? 0) + 1)
      throw error
    })
  }

  #ended(link: Link, reason: string): void {
    this.#why = `${link.text}: ${reason}`
    if (this.#link !== link) return
    this.#link = undefined
    this.#report()
    if (!this.#isClosed) void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    for (let ms = 10; !this.#isClosed; ms = Math.min(MAX_WAIT_MS, ms * 2)) {
      await wait(ms * (0.5 + Math.random()), undefined, { ref: false })
      try {
        if (!this.#isClosed) await this.#connect()
        return this.#report()
      } catch (error) {
        if (error instanceof StateUnavailable) this.#why = reasonOf(error)
      }
    }
  }

  #report(): void {
    for (const listener of this.#followers) listener(this.isUp)
  }

  #noLink(): SimError {
    const { lost } = this.#common.incarnation
    return lost === undefined ? new StateUnavailable(this.#why) : new StateLost(lost)
  }
}
