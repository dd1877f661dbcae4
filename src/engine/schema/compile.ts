import { ModelNotGenerable } from '../../errors.ts'
import { lazy } from '../lazy.ts'
import type { Observer } from '../observer.ts'
import { KEEP } from '../links/link.ts'
import { createChecker, type Checker } from './checker.ts'
import { compileConstants } from './constants.ts'
import { SPACE } from './budget.ts'
import { type Compiler, withWriter, writerOf, type Generate, nothing } from './generate.ts'
import { compileLinks, holdsLink, linksOf } from './linked.ts'
import { measuresOf } from './measures.ts'
import { observed, originOf, originOfLinks } from './observed.ts'
import { createParts } from './parts.ts'
import type { Stream } from '../random.ts'
import { plainName, positionWithin, type Position } from './position.ts'
import { modelName, type Schema, type SchemaOrBoolean, isOfType, typesOf } from './schema.ts'
import { withinSpace } from './space.ts'
import { retryUntilFits } from './retry.ts'
import { compileSaid } from './said.ts'
import { compileArray } from './array.ts'
import { kindOf, schemaOf } from './keywords.ts'
import { isUnion } from './members.ts'
import { compileNumber } from './number.ts'
import { compileObject } from './object.ts'
import { compileString } from './string.ts'
import { compileUnion } from './union.ts'
import { whyNothing } from './why-nothing.ts'

/** What a generator is compiled with. */
export interface GeneratorOptions {
  readonly checker?: Checker
  /** About how many bytes values have at most where nothing in the model asks for more. */
  readonly space?: number | undefined
  /** Whether what a description says of values is passed over. */
  readonly isSilent?: boolean | undefined
  /** Sees each value and where it comes from. */
  readonly observer?: Observer | undefined
}

/**
 * The generator of a model, compiled once; parts behind references compile when they are first reached.
 * Values fit the model, but for combinations such as `not` with another `not` that no attempt came to meet.
 * @throws ModelNotGenerable when no value of the model can be finite
 */
export function compileGenerator(
  root: Schema,
  { checker = createChecker(root), space = SPACE, isSilent = false, observer }: GeneratorOptions = {},
): Generate {
  const { resolve, fold, heights, sizes } = measuresOf(root)
  const model = modelName(root)
  if (heights.of(root) === Infinity)
    throw new ModelNotGenerable(
      `${model} requires itself without end, or what nothing fits: ${whyNothing(root, resolve, heights)}`,
    )

  // Most models cannot become long, and need no look at how long they are.
  const isLong = sizes.most(root) > space || sizes.most(root) >= SPACE
  const shared = { root, resolve, fold, heights, checker, sizes: isLong ? sizes : undefined, observer }
  const generate = createCompiler(shared, isSilent).compile(root, { model, field: '' })
  return isLong ? withinSpace(generate, () => space) : generate
}

type Shared = Pick<Compiler, 'resolve' | 'fold' | 'heights' | 'checker' | 'sizes'> & {
  readonly root: Schema
  readonly observer: Observer | undefined
}

function createCompiler({ root, observer, ...shared }: Shared, isSilent: boolean): Compiler {
  const { resolve, fold } = shared
  const compile = (schema: SchemaOrBoolean, at: Position): Generate => {
    const generate = compileUnlinked(schema, at)
    const link = compileLink(schema, at)
    if (link === undefined) return generate
    const write = writerOf(generate)
    return withWriter(
      (stream, scope, siblings) => {
        const value = link(stream, scope, siblings)
        return value === KEEP ? generate(stream, scope) : value
      },
      (sink, stream, scope) => {
        const value = link(stream, scope)
        if (value === KEEP) write(sink, stream, scope)
        else sink.value(value)
      },
    )
  }
  const compileLink = (schema: SchemaOrBoolean, at: Position): Generate | undefined => {
    const links = linksOf(schema, resolve)
    if (links.length === 0) return undefined
    const link = compileLinks(links, schema as Schema, at, compiler)
    return observer === undefined
      ? link
      : observed(link, at, originOfLinks(schema as Schema, at, compiler), observer)
  }
  const compileUnlinked = (schema: SchemaOrBoolean, at: Position): Generate => {
    if (observer === undefined) return compileUnseen(schema, at)
    return observed(compileUnseen(schema, at), at, originOf(schema, at, compiler, says(schema, at)), observer)
  }
  const compileUnseen = (schema: SchemaOrBoolean, at: Position): Generate => {
    const said = isSilent || typeof schema === 'boolean' ? undefined : compileSaid(schema, at, compiler)
    if (said !== undefined) return said
    const folded = fold(schema)
    if (folded === false) return nothing(at)
    if (folded === true) return compileFold({}, at)
    const within = positionWithin(schema as Schema, folded, at)
    return folded === schema && schema !== root ? compileFold(folded, within) : compilePart(folded, within)
  }
  const compileFold = (folded: Schema, at: Position): Generate =>
    retryUntilFits(folded, compileKind(folded, at, compiler), at, compiler)
  const compilePart = createParts(compileFold)

  const silent = lazy(() => (isSilent ? compiler : createCompiler({ root, observer, ...shared }, true)))
  const says = (schema: SchemaOrBoolean, at: Position): boolean =>
    !isSilent && typeof schema !== 'boolean' && compileSaid(schema, at, compiler) !== undefined
  const compiler: Compiler = { ...shared, compile, compileUnlinked, compileLink, silent, says }
  return compiler
}

type CompileKind = (schema: Schema, at: Position, compiler: Compiler) => Generate

/** The generator of a fold: a constant, a choice between schemas, or a value of one type. */
export function compileKind(schema: Schema, at: Position, compiler: Compiler): Generate {
  if (Object.hasOwn(schema, 'const')) return compileConstants([schema['const']], at)
  const examples = examplesOf(schema, compiler)
  if (examples.length > 0) return compileConstants(examples, at)
  if (Array.isArray(schema['enum'])) {
    const values = fittingOf(schema, schema['enum'], compiler)
    return values.length === 0 ? nothing(at) : compileConstants(values, at)
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
  ['boolean', compileBoolean],
  ['null', () => () => null],
])

function compileBoolean(_schema: Schema, { field }: Position): Generate {
  const isTrue = DELETED.has(plainName(field))
    ? () => false
    : (stream: Stream): boolean => stream.next() < 0.5
  return withWriter(isTrue, (sink, stream) => sink.raw(isTrue(stream) ? TRUE : FALSE))
}

/** What is shown is there. */
const DELETED: ReadonlySet<string> = new Set(['deleted', 'isdeleted'])

// What an author wants to see, unless a link within decides on some of it.
function examplesOf(schema: Schema, compiler: Compiler): readonly unknown[] {
  const { examples } = schema
  if (!Array.isArray(examples)) return []
  const hasParts = examples.some((example) => typeof example === 'object' && example !== null)
  if (hasParts && holdsLink(schema, compiler.resolve)) return []
  return fittingOf(schema, examples, compiler)
}

// Other keywords beside `enum` may refuse some of its values.
function fittingOf(schema: Schema, values: readonly unknown[], { checker }: Compiler): readonly unknown[] {
  const types = typesOf(schema)
  const ofType = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)))
  const isPlain = Object.keys(schema).every((keyword) => keyword === 'type' || !VALIDATING.has(keyword))
  return isPlain ? ofType : ofType.filter((value) => checker.fits(value, schema))
}

const VALIDATING = new Set([
  ...['const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength'],
  ...['maxLength', 'pattern', 'format', 'anyOf', 'oneOf', 'not', 'if', 'minItems', 'maxItems', 'items'],
  ...['prefixItems', 'properties', 'required', 'additionalProperties', 'patternProperties'],
  ...['propertyNames', 'contains'],
])

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

// Either the condition holds, and `then` with it, or it does not, and `else` holds.
function conditionAsUnion(schema: Schema): Schema {
  const { if: condition, then = true, else: otherwise = true, ...rest } = schema
  return { ...rest, anyOf: [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }] }
}
