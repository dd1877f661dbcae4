import { schemasOf } from './keywords.ts'
import type { Fold } from './merge.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'

/** Whether a fold is a choice between schemas. */
export function isUnion(schema: Schema): boolean {
  return ['anyOf', 'oneOf'].some((keyword) => schemasOf(schema, keyword) !== undefined)
}

/** Each member of a union with what stands beside it; one of each list where there are both `anyOf` and `oneOf`. */
export function membersOf(schema: Schema, fold: Fold): readonly SchemaOrBoolean[] {
  const { anyOf: _anyOf, oneOf: _oneOf, ...base } = schema
  const lists = [schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')].filter((list) => list !== undefined)
  return lists
    .reduce((left, right) => pairsOf(left, right).map((pair) => ({ allOf: pair })))
    .map((member) => (Object.keys(base).length === 0 ? member : { allOf: [base, member] }))
    .filter((member) => fold(member) !== false)
}

// Most of the pairs of two long lists are left out; each member of both is in several of the others.
function pairsOf<T>(left: readonly T[], right: readonly T[]): [T, T][] {
  const longer = Math.max(left.length, right.length)
  const count = Math.min(left.length * right.length, Math.max(MAX_PAIRS, longer))
  if (count === left.length * right.length) return left.flatMap((a) => right.map((b): [T, T] => [a, b]))
  return Array.from({ length: count }, (_, i): [T, T] => [
    left[i % left.length] as T,
    right[(i + Math.floor(i / longer)) % right.length] as T,
  ])
}

const MAX_PAIRS = 1000
