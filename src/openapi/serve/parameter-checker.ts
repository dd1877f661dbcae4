import { LRUCache } from 'lru-cache'
import { createChecker, type Checker } from '../../engine/schema/checker.ts'
import type { Schema } from '../../engine/schema/schema.ts'

// A large description has some hundreds of different parameters in thousands of places.
const checkers = new LRUCache<string, Checker>({ max: 1000 })

/** A checker of a parameter's values, which fills in defaults; equal models have the same one. */
export function parameterChecker(model: Schema): Checker {
  const text = JSON.stringify(model)
  const checker = checkers.get(text) ?? createChecker(model, { defaults: true })
  checkers.set(text, checker)
  return checker
}
