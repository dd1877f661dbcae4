import { compileArray } from './array.ts'
import type { Compiler } from './compiler.ts'
import { withWriter, type Generate } from './generate.ts'
import { kindOf, schemaOf, schemasOf } from './keywords.ts'
import { nothing } from './nothing.ts'
import { compileNumber } from './number.ts'
import { compileObject } from './object.ts'
import type { Position } from './position.ts'
import { isOfType, typesOf, type Schema } from './schema.ts'
import { compileString } from './string.ts'
import { compileUnion } from './union.ts'

type CompileKind = (schema: Schema, at: Position, compiler: Compiler) => Generate

/** The generator of a fold: a constant, a choice between schemas, or a value of one type. */
export function compileKind(schema: Schema, at: Position, compiler: Compiler): Generate {
  if (Object.hasOwn(schema, 'const')) return compileConstants([schema['const']])
  if (Array.isArray(schema['enum'])) {
    const values = fittingOf(schema, schema['enum'], compiler)
    return values.length === 0 ? nothing(at) : compileConstants(values)
  }
  if (isUnion(schema)) return compileUnion(schema, at, compiler)
  if (schemaOf(schema, 'if') !== undefined) return compileUnion(conditionAsUnion(schema), at, compiler)

  const types = typesOf(schema)
  if (types.length < 2) return KINDS.get(kindOf(schema))?.(schema, at, compiler) ?? nothing(at)
  const { type: _types, ...rest } = schema
  return compileUnion({ ...rest, anyOf: types.map((type) => ({ type })) }, at, compiler)
}

const KINDS: ReadonlyMap<string, CompileKind> = new Map<string, CompileKind>([
  ['object', compileObject],
  ['array', compileArray],
  ['string', compileString],
  ['integer', compileNumber],
  ['number', compileNumber],
  [
    'boolean',
    () =>
      withWriter(
        (stream) => stream.next() < 0.5,
        (sink, stream) => sink.raw(stream.next() < 0.5 ? TRUE : FALSE),
      ),
  ],
  ['null', () => () => null],
])

// Other keywords beside `enum` may refuse some of its values.
function fittingOf(schema: Schema, values: readonly unknown[], { checker }: Compiler): readonly unknown[] {
  const types = typesOf(schema)
  const ofType = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)))
  const isPlain = Object.keys(schema).every((keyword) => keyword === 'type' || !VALIDATING.has(keyword))
  return isPlain ? ofType : ofType.filter((value) => checker.fits(value, schema))
}

const VALIDATING = new Set([
  ...[
    'const',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
  ],
  ...['pattern', 'format', 'anyOf', 'oneOf', 'not', 'if', 'minItems', 'maxItems', 'items', 'prefixItems'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'contains'],
])

// Objects are copied, so that whoever changes an answer does not change the model.
function compileConstants(values: readonly unknown[]): Generate {
  const [only] = values
  const isCopied = values.some((value) => typeof value === 'object')
  const choose: Generate = isCopied
    ? (stream) => structuredClone(stream.pick(values))
    : values.length === 1
      ? () => only
      : (stream) => stream.pick(values)
  const encoded = values.map((value) => Buffer.from(JSON.stringify(value) ?? 'null'))
  return withWriter(choose, (sink, stream) => sink.raw(stream.pick(encoded) ?? NULL))
}

const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

function isUnion(schema: Schema): boolean {
  return ['anyOf', 'oneOf'].some((keyword) => schemasOf(schema, keyword) !== undefined)
}

// Either the condition holds, and `then` with it, or it does not, and `else` holds.
function conditionAsUnion(schema: Schema): Schema {
  const { if: condition, then = true, else: otherwise = true, ...rest } = schema
  return { ...rest, anyOf: [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }] }
}
