import type { Sample } from '../sample.ts'
import { type Leaf, leavesIn, operationOf } from './credentials.ts'
import type { KnownUser } from './find-users.ts'

const IS_ID = /^_?id$/i
const NUMBER_NAME = /^_?id$|[a-z]_?id$|^(user|author|owner|creator|created_?by|updated_?by)$/i

/** The numbers of users, in the order in which they were made. */
export interface UserNumbers {
  readonly first: number
  readonly of: ReadonlyMap<string, number>
}

/**
 * The numbers of users, where what users make has numbers of theirs that no answer shows of them: such as
 * `author: { id: 3 }` for the third who was made.
 * @param samples with who sent them
 */
export function userNumbers(
  samples: readonly Sample[],
  users: ReadonlyMap<string, KnownUser>,
): UserNumbers | undefined {
  const made = [...users.values()].toSorted((a, b) => a.madeAt - b.madeAt)
  if (made.some(({ fields }) => Object.hasOwn(fields, 'id'))) return undefined
  const ordinals = new Map(made.map(({ id }, ordinal) => [id, ordinal]))
  const seen = new Map<string, { readonly firsts: Set<number>; readonly callers: Set<string> }>()
  for (const sample of samples) {
    const { caller, response, status } = sample
    const ordinal = ordinals.get(caller ?? '')
    if (caller === undefined || ordinal === undefined || status >= 300) continue
    for (const { path, value } of leavesIn(response).filter(isNumber)) {
      // What is made has its own.
      if (sample.method === 'POST' && path.length === 1 && IS_ID.test(path[0] ?? '')) continue
      const place = `${operationOf(sample)} ${path.join('/')}`
      const known = seen.get(place) ?? { firsts: new Set(), callers: new Set() }
      seen.set(place, known)
      known.firsts.add(value - ordinal)
      known.callers.add(caller)
    }
  }
  const found = [...seen.values()].find(({ firsts, callers }) => firsts.size === 1 && callers.size > 1)
  const [first] = found?.firsts ?? []
  if (first === undefined) return undefined
  return { first, of: new Map([...ordinals].map(([id, ordinal]) => [id, first + ordinal])) }
}

function isNumber(leaf: Leaf): leaf is Leaf & { readonly value: number } {
  return Number.isInteger(leaf.value) && leaf.path.slice(-2).some((name) => NUMBER_NAME.test(name))
}
