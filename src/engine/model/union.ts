import type { Compiler, Position } from './compiler.ts'
import { MOST_DEPTH } from './compiler.ts'
import type { Generate } from './generate.ts'
import { holdsLink } from './linked.ts'
import { mergeSchemas } from './merge.ts'
import { typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

const NULL_SHARE = 0.1

/** One member of `anyOf` or `oneOf`: null seldom, and never where another member holds links to keep. */
export function compileUnion(schema: Schema, at: Position, compiler: Compiler): Generate {
  const { anyOf, oneOf, ...base } = schema
  const members = [anyOf, oneOf]
    .filter(Array.isArray)
    .map((each) => each as SchemaOrBoolean[])
    .reduce((left, right) => left.flatMap((a) => right.map((b) => mergeSchemas([a, b], compiler.resolve))))
    .map((member) =>
      Object.keys(base).length === 0 ? member : mergeSchemas([base, member], compiler.resolve),
    )
    .filter((member) => compiler.heights.of(member) !== Infinity)

  const smallest = members.toSorted((a, b) => compiler.heights.of(a) - compiler.heights.of(b))[0] ?? false
  const nulls = members.filter(isNull)
  const values = members.filter((member) => !isNull(member)).map((member) => compiler.compile(member, at))
  const small = compiler.compile(smallest, at)
  const nullShare = nulls.length === 0 || holdsLink(schema) ? 0 : values.length === 0 ? 1 : NULL_SHARE

  return (stream, scope) => {
    if (scope.depth > MOST_DEPTH) return small(stream, scope)
    if (stream.next() < nullShare) return null
    const generate = stream.pick(values) ?? small
    return generate(stream, scope)
  }
}

function isNull(schema: SchemaOrBoolean): boolean {
  if (typeof schema === 'boolean') return false
  return schema['const'] === null || (typesOf(schema).length === 1 && typesOf(schema)[0] === 'null')
}
