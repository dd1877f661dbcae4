import { MOST_DEPTH, type Compiler } from './compiler.ts'
import type { Position } from './position.ts'
import type { Generate } from './generate.ts'
import { schemasOf } from './keywords.ts'
import { holdsLink } from './linked.ts'
import { typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

const NULL_SHARE = 0.1

/** One member of `anyOf` or `oneOf`: null seldom, and never where another member holds links to keep. */
export function compileUnion(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { heights, compileUnlinked } = compiler
  const members = membersOf(schema, compiler).filter((member) => heights.of(member) !== Infinity)
  const values = members
    .filter((member) => !isNull(member, compiler))
    .map((member) => compileUnlinked(member, at))
  const [smallest = false] = members.toSorted((a, b) => heights.of(a) - heights.of(b))
  const small = compileUnlinked(smallest, at)
  const nullShare = values.length === members.length || holdsLink(schema, compiler.resolve) ? 0 : NULL_SHARE

  return (stream, scope) => {
    if (scope.depth > MOST_DEPTH) return small(stream, scope)
    if (stream.next() < nullShare) return null
    const generate = stream.pick(values) ?? small
    return generate(stream, scope)
  }
}

// Each member with what stands beside the union; one of each list where there are both `anyOf` and `oneOf`.
function membersOf(schema: Schema, { fold }: Compiler): readonly SchemaOrBoolean[] {
  const { anyOf, oneOf, ...base } = schema
  const lists = [schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')].filter((list) => list !== undefined)
  return lists
    .reduce((left, right) => left.flatMap((a) => right.map((b) => ({ allOf: [a, b] }))))
    .map((member) => (Object.keys(base).length === 0 ? member : { allOf: [base, member] }))
    .filter((member) => fold(member) !== false)
}

function isNull(member: SchemaOrBoolean, { fold }: Compiler): boolean {
  const folded = fold(member)
  if (typeof folded === 'boolean') return false
  return folded['const'] === null || (typesOf(folded).length === 1 && typesOf(folded)[0] === 'null')
}
