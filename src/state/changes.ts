import { hash } from 'node:crypto'
import { isSafe } from '../message.ts'
import { plainPath } from '../routing/path-template.ts'
import { createEntities, type Entities } from './entities.ts'
import { createCounters, type MemoryCounters } from './counters.ts'

/** What a client's requests have changed so far: which of them were made, in whatever order. */
export interface Changes {
  /** What was changed below a path or above it, as a text: equal after equal changes, `none` before any. */
  at(root: string): string
  /** @param request what names it: equal for requests that say the same */
  note(root: string, request: string): void
  /** Counts how often requests came whose answer is known. */
  readonly turns: MemoryCounters
  /** What became of the paths that were changed. */
  readonly entities: Entities
  /** Objects that calls read and change, by what says what they do. */
  readonly objects: Map<unknown, unknown>
  reset(): void
}

// Sums of so many bits are still exact.
const DIGITS = 12
const BOUND = 2 ** (4 * DIGITS)

/** Nothing was changed yet. */
export function createChanges(): Changes {
  const sums = new Map<string, { count: number; sum: number }>()
  const turns = createCounters()
  const entities = createEntities()
  const objects = new Map<unknown, unknown>()
  return {
    at(root) {
      let [count, sum] = [0, 0]
      for (const [other, each] of sums) {
        if (!isWithin(other, root) && !isWithin(root, other)) continue
        count += each.count
        sum = (sum + each.sum) % BOUND
      }
      return count === 0 ? 'none' : `${count} ${sum.toString(36)}`
    },
    note(root, request) {
      const known = sums.get(root) ?? { count: 0, sum: 0 }
      known.count++
      known.sum = (known.sum + Number.parseInt(hash('sha256', request).slice(0, DIGITS), 16)) % BOUND
      sums.set(root, known)
    },
    turns,
    entities,
    objects,
    reset() {
      sums.clear()
      turns.reset()
      entities.reset()
      objects.clear()
    },
  }
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}

const READING =
  /^_?(batch_?|bulk_?|multi_?)?(get|list|describe|query|scan|search|find|lookup|count|explain|range|show|fetch|read|view|status|info|stats?|exists?|check(?!in|out)|head|validate|verify|version|ping|preview|calculate|estimate|resolve|select|retrieve|whoami|ttl|time_?to_?live|all_docs|msearch)/i
const QUESTION = /^_?(is|has)[A-Z_]/
const NOT_READING = /^(get|find|fetch)_?(or_?|(one_?)?and_?)(create|set|update|modify|delete|replace|insert)/i

/** Whether an operation is called like one that only reads. @param name its last part counts: `user.get`, `/v3/kv/range` */
export function isReadingName(name: string): boolean {
  const last = /(?<![^.:/#\s])[^.:/#\s]*$/.exec(name)?.[0] ?? ''
  return (
    (READING.test(last) ||
      QUESTION.test(last) ||
      /(info|status|stats?|details|count|list|introspection)$/i.test(last)) &&
    !NOT_READING.test(last)
  )
}

/**
 * Whether a request may change what others get: by its method (RFC 9110, section 9.2.1), unless the operation it names
 * last in its path, or in a header, is called one that reads.
 */
export function isChanging(method: string, url: string, operation?: string): boolean {
  if (isSafe(method)) return false
  if (method !== 'POST') return true
  const [path = ''] = url.split('?')
  return !isReadingName(operation ?? path)
}

/** The path that all requests of a template are below: what comes before its first parameter, in whatever form it is answered. */
export function rootOf(path: string, host = ''): string {
  const segments = path.split('/')
  const end = segments.findIndex((segment) => segment.includes('{'))
  return host + (end < 0 ? plainPath(path) : segments.slice(0, end).join('/'))
}
