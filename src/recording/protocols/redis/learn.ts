import type { Item } from '../../calls/objects.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { runCommand } from './commands.ts'
import { type Entry, Store } from './store.ts'

/** The type of a model's objects. */
export const KEY = 'key'

/** A recorded command, and what it gave, with hashes as objects. */
export interface SeenCommand {
  readonly name: string
  readonly args: readonly string[]
  readonly reply: unknown
}

/** The keys that there were in the beginning, as far as commands show them before others change them. */
export function keysBefore(commands: readonly SeenCommand[]): readonly Item[] {
  const [items, initial] = [new Map<string, Item>(), new Map<string, Item>()]
  const [store, start] = [new Store(items, 0), new Store(initial, 0)]
  const known = new Set<string>()
  for (const command of commands) {
    for (const [key, entry] of entriesShown(command)) {
      if (known.has(key)) continue
      known.add(key)
      if (entry === undefined) continue
      store.put(key, entry)
      start.put(key, entry)
    }
    const before = new Map(items)
    runCommand(command.name, command.args, store)
    for (const key of [...before.keys(), ...items.keys()])
      if (before.get(key) !== items.get(key)) known.add(key)
  }
  return [...initial.values()]
}

type Shown = readonly (readonly [key: string, entry: Entry | undefined])[]

/** What a command shows of keys as they were before it; no entry where there was none. */
function entriesShown({ name, args, reply }: SeenCommand): Shown {
  const [key = '', from, to] = args
  const command = name.toLowerCase()
  const texts = Array.isArray(reply) && reply.every((each) => typeof each === 'string') ? reply : undefined
  const isWhole = from === '0' && to === '-1'
  switch (command) {
    case 'get':
    case 'getset':
    case 'getdel':
      return textShown(key, reply)
    case 'mget':
      return Array.isArray(reply) ? args.flatMap((each, at) => textShown(each, reply[at])) : []
    case 'incr':
    case 'decr':
    case 'incrby':
    case 'decrby': {
      const by = Number(from ?? 1) * (command.startsWith('incr') ? 1 : -1)
      return typeof reply === 'number' && reply !== by ? textShown(key, String(reply - by)) : []
    }
    case 'hgetall':
      return isObject(reply) && Object.keys(reply).length > 0
        ? [
            [
              key,
              {
                type: 'hash',
                value: Object.entries(reply).map(([field, value]) => [field, String(value)] as const),
              },
            ],
          ]
        : []
    case 'lrange':
      return isWhole ? partsShown(key, 'list', texts) : []
    case 'smembers':
      return partsShown(key, 'set', texts)
    case 'zrange': {
      const isScored = isWhole && args.at(3)?.toUpperCase() === 'WITHSCORES'
      if (!isScored || texts === undefined || texts.length === 0) return []
      const value = texts.flatMap((member, at) =>
        at % 2 === 0 ? [[member, Number(texts[at + 1])] as const] : [],
      )
      return [[key, { type: 'zset', value }]]
    }
    default:
      return []
  }
}

function textShown(key: string, value: unknown): Shown {
  if (value === null) return [[key, undefined]]
  return typeof value === 'string' ? [[key, { type: 'string', value }]] : []
}

// An error is a list as well in some fronts.
function partsShown(key: string, type: 'list' | 'set', texts: readonly string[] | undefined): Shown {
  return texts === undefined || texts.length === 0 ? [] : [[key, { type, value: texts }]]
}
