import { isObject } from '../../../engine/schema/schema.ts'
import { type Args, isInRange, isText, objectsIn } from './pairs.ts'
import { Refusal } from './refusal.ts'

/** Refuses a transaction that may write a key more than once. @throws Refusal */
export function checkWrites(transaction: Args): void {
  for (const branch of BRANCHES) writtenIn(objectsIn(transaction[branch]))
}

const BRANCHES = ['success', 'failure'] as const

interface Written {
  readonly keys: readonly string[]
  readonly removed: readonly Args[]
}

// Of a transaction within, only one of its branches is done.
function writtenIn(steps: readonly Args[]): Written {
  const parts = steps.map(writtenBy)
  const all = parts.flatMap(({ keys }) => [...new Set(keys)])
  const isTwice = new Set(all).size < all.length
  const isRemoved = parts.some(({ removed }, at) =>
    parts.some(
      (other, place) =>
        place !== at && removed.some((range) => other.keys.some((key) => isInRange(key, range))),
    ),
  )
  if (isTwice || isRemoved) throw new Refusal('keyTwice')
  return { keys: all, removed: parts.flatMap(({ removed }) => removed) }
}

function writtenBy(step: Args): Written {
  const { request_put: put, request_delete_range: removed, request_txn: inner } = step
  const parts = isObject(inner) ? BRANCHES.map((branch) => writtenIn(objectsIn(inner[branch]))) : []
  return {
    keys: [
      ...(isObject(put) && isText(put['key']) ? [put['key']] : []),
      ...parts.flatMap(({ keys }) => keys),
    ],
    removed: [
      ...(isObject(removed) && isText(removed['key']) ? [removed] : []),
      ...parts.flatMap((part) => part.removed),
    ],
  }
}
