import type { Stream } from '../random.ts'
import { MAX_DEPTH } from './budget.ts'
import { type Compiler, withWriter, writerOf, type Generate, type Scope, nothing } from './generate.ts'
import { holdsLink } from './linked.ts'
import { membersOf } from './members.ts'
import type { Position } from './position.ts'
import { typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

const NULL_SHARE = 0.1

/** One member of `anyOf` or `oneOf`: null seldom, and never where another member holds links to keep. */
export function compileUnion(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { heights, sizes } = compiler
  const members = membersOf(schema, compiler.fold)
    .filter((member) => heights.of(member) !== Infinity)
    .map((member) => ({
      generate: compiler.compileUnlinked(member, at),
      height: heights.of(member),
      size: sizes?.least(member) ?? 0,
      isNull: isNull(member, compiler),
    }))
  if (members.length === 0) return nothing(at)
  const least = members.reduce((lowest, { height }) => Math.min(lowest, height), Infinity)
  const smallest = members.filter(({ height }) => height === least)
  const values = members.filter(({ isNull }) => !isNull)
  const usual = values.length > 0 ? values : members
  const nullShare = usual.length === members.length || holdsLink(schema, compiler.resolve) ? 0 : NULL_SHARE

  const largest = usual.reduce((most, { size }) => Math.max(most, size), 0)
  const fitting = (space: number): typeof members => {
    const some = usual.filter(({ size }) => size <= space)
    return some.length > 0 ? some : smallest
  }

  const choose = (stream: Stream, scope: Scope): Generate => {
    const isDeep = scope.depth > MAX_DEPTH
    if (!isDeep && stream.next() < nullShare) return makeNull
    const { space = Infinity } = scope
    return stream.pick(isDeep ? smallest : space < largest ? fitting(space) : usual)?.generate ?? makeNull
  }
  return withWriter(
    (stream, scope) => choose(stream, scope)(stream, scope),
    (sink, stream, scope) => writerOf(choose(stream, scope))(sink, stream, scope),
  )
}

const makeNull: Generate = () => null

function isNull(member: SchemaOrBoolean, { fold }: Compiler): boolean {
  const folded = fold(member)
  if (typeof folded === 'boolean') return false
  return folded['const'] === null || (typesOf(folded).length === 1 && typesOf(folded)[0] === 'null')
}
