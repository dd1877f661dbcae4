import type { Item } from '../../calls/objects.ts'
import { NOT_INTEGER, Refusal } from './reply.ts'

/** The values that keys may have, by the names of their types. */
export interface Values {
  readonly string: string
  readonly list: readonly string[]
  readonly hash: readonly (readonly [field: string, value: string])[]
  readonly set: readonly string[]
  /** In the order of scores, and then of members. */
  readonly zset: readonly (readonly [member: string, score: number])[]
}
export type Type = keyof Values

/** A key with its value. */
export interface Entry<Of extends Type = Type> {
  readonly type: Of
  readonly value: Values[Of]
  /** When it is gone, in milliseconds since 1970. */
  readonly until?: number | undefined
}

/** The keys of a database. */
export class Store {
  readonly #items: Map<string, Item>
  readonly now: number

  constructor(items: Map<string, Item>, now: number) {
    this.#items = items
    this.now = now
  }

  entry(key: string): Entry | undefined {
    const item = this.#items.get(key)
    if (item === undefined) return undefined
    const { until } = item
    if (typeof until === 'number' && until <= this.now) {
      this.#items.delete(key)
      return undefined
    }
    return item as unknown as Entry
  }

  /** The value of a key that has one of a type, if it has any. @throws Refusal for one of another type */
  get<Of extends Type>(type: Of, key: string): Values[Of] | undefined {
    const entry = this.entry(key)
    if (entry === undefined) return undefined
    if (entry.type !== type)
      throw new Refusal('WRONGTYPE Operation against a key holding the wrong kind of value')
    return entry.value as Values[Of]
  }

  /** Gives a key a value and keeps until when it is there; a value without parts takes it away. */
  change<Of extends Type>(type: Of, key: string, value: Values[Of]): void {
    const isGone = type !== 'string' && value.length === 0
    if (isGone) this.#items.delete(key)
    else this.put(key, { type, value, until: this.entry(key)?.until })
  }

  put(key: string, { type, value, until }: Entry): void {
    this.#items.set(key, { key, type, value, ...(until !== undefined && { until }) })
  }

  delete(key: string): boolean {
    const isThere = this.entry(key) !== undefined
    this.#items.delete(key)
    return isThere
  }

  /** The keys that there are. */
  keys(): readonly string[] {
    return [...this.#items.keys()].filter((key) => this.entry(key) !== undefined)
  }

  clear(): void {
    for (const key of [...this.#items.keys()]) this.#items.delete(key)
  }

  /** The time that is so many units from now, or since 1970. @throws Refusal for none to come */
  timeOf(text: string, unit: number, { isAt = false, command = '' } = {}): number {
    const amount = Number(text)
    if (!/^-?\d+$/.test(text)) throw new Refusal(NOT_INTEGER)
    if (command !== '' && amount <= 0) throw new Refusal(`ERR invalid expire time in '${command}' command`)
    return (isAt ? 0 : this.now) + amount * unit
  }
}
