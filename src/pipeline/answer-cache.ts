import { LRUCache } from 'lru-cache'
import type { HttpRequest } from '../message.ts'

type Key = Pick<HttpRequest, 'host' | 'path' | 'search'>

/** Bodies that were generated before, by path and query; the least recently used go when they are too many bytes. */
export interface AnswerCache {
  get(request: Key): string | undefined
  set(request: Key, body: string): void
}

/** What a body takes besides its own bytes and its key's. */
const OVERHEAD = 128

/** A cache of the bodies of generated routes under one seed. @param maxBytes 0 keeps none */
export function createAnswerCache(maxBytes: number): AnswerCache | undefined {
  if (maxBytes === 0) return undefined
  const bodies = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (body, key) => body.length + 2 * key.length + OVERHEAD,
  })
  return {
    get: (request) => bodies.get(keyOf(request)),
    set: (request, body) => void bodies.set(keyOf(request), body),
  }
}

// Hosts may have routes of their own. None of the three holds a space.
function keyOf({ host, path, search }: Key): string {
  return `${host} ${path} ${search}`
}
