import type { Stream } from '../random.ts'
import {
  MAX_DEPTH,
  type Compiler,
  withWriter,
  writerOf,
  type Generate,
  type Scope,
  nothing,
} from './generate.ts'
import { schemasOf } from './keywords.ts'
import { holdsLink } from './linked.ts'
import type { Position } from './position.ts'
import { typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

const NULL_SHARE = 0.1

/** One member of `anyOf` or `oneOf`: null seldom, and never where another member holds links to keep. */
export function compileUnion(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { heights } = compiler
  const members = membersOf(schema, compiler)
    .filter((member) => heights.of(member) !== Infinity)
    .map((member) => ({
      generate: compiler.compileUnlinked(member, at),
      height: heights.of(member),
      isNull: isNull(member, compiler),
    }))
  if (members.length === 0) return nothing(at)
  const least = members.reduce((lowest, { height }) => Math.min(lowest, height), Infinity)
  const smallest = members.filter(({ height }) => height === least)
  const values = members.filter(({ isNull }) => !isNull)
  const usual = values.length > 0 ? values : members
  const nullShare = usual.length === members.length || holdsLink(schema, compiler.resolve) ? 0 : NULL_SHARE

  const choose = (stream: Stream, scope: Scope): Generate => {
    const isDeep = scope.depth > MAX_DEPTH
    if (!isDeep && stream.next() < nullShare) return makeNull
    return stream.pick(isDeep ? smallest : usual)?.generate ?? makeNull
  }
  return withWriter(
    (stream, scope) => choose(stream, scope)(stream, scope),
    (sink, stream, scope) => writerOf(choose(stream, scope))(sink, stream, scope),
  )
}

const makeNull: Generate = () => null

// Each member with what stands beside the union; one of each list where there are both `anyOf` and `oneOf`.
function membersOf(schema: Schema, { fold }: Compiler): readonly SchemaOrBoolean[] {
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

function isNull(member: SchemaOrBoolean, { fold }: Compiler): boolean {
  const folded = fold(member)
  if (typeof folded === 'boolean') return false
  return folded['const'] === null || (typesOf(folded).length === 1 && typesOf(folded)[0] === 'null')
}
