import { LRUCache } from 'lru-cache'
import type { HttpRequest } from '../../message.ts'

/** Answers that were given before, by path and query; the least recently used go when they are too many bytes. */
export interface KeptAnswers {
  get(call: HttpRequest): string | undefined
  set(call: HttpRequest, body: string): void
}

/** What an answer takes besides its body and its key. */
const OVERHEAD = 128

/** Answers of declared routes under one seed. @param mostBytes 0 keeps none */
export function createKeptAnswers(mostBytes: number): KeptAnswers | undefined {
  if (mostBytes === 0) return undefined
  const bodies = new LRUCache<string, string>({
    maxSize: mostBytes,
    sizeCalculation: (body, key) => body.length + 2 * key.length + OVERHEAD,
  })
  return {
    get: (call) => bodies.get(keyOf(call)),
    set: (call, body) => void bodies.set(keyOf(call), body),
  }
}

// Hosts may have routes of their own. None of the three holds a space.
function keyOf({ host, path, search }: HttpRequest): string {
  return `${host} ${path} ${search}`
}
