import { ModelNotGenerable } from '../../sim-error.ts'
import { KEEP } from '../links/link.ts'
import { hashText } from '../random.ts'
import { compileArray } from './array.ts'
import { createChecker, type Checker } from './checker.ts'
import type { Compiler, Position } from './compiler.ts'
import type { Generate } from './generate.ts'
import { createHeights } from './height.ts'
import { compileLink, linkWithin } from './linked.ts'
import { flatten, VERIFY } from './merge.ts'
import { compileNumber } from './number.ts'
import { compileObject } from './object.ts'
import { createResolver, modelName, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'
import { compileString } from './string.ts'
import { compileUnion } from './union.ts'

// What a reference adds to the depth: little where it only names a part, much where it lies within itself.
const REFERENCE_DEPTH = 1
const RECURSION_DEPTH = 4

/**
 * The generator of a model, compiled once; parts behind references compile when they are first reached.
 * @throws ModelNotGenerable when no value of the model can be finite
 */
export function compileGenerator(root: Schema, checker: Checker = createChecker(root)): Generate {
  const resolve = createResolver(root)
  const heights = createHeights(resolve)
  const model = modelName(root)
  if (heights.of(root) === Infinity) throw new ModelNotGenerable(`${model} requires itself without end`)
  const references = new Map<Schema, Generate>()

  const compile = (schema: SchemaOrBoolean, at: Position): Generate => {
    if (schema === true) return ANYTHING
    if (schema === false) return nothing(at)
    const position = typeof schema['title'] === 'string' ? { model: schema['title'], field: at.field } : at
    const generated = compileUnlinked(schema, position)
    const link = compiler.compileLink(schema, position)
    if (link === undefined) return generated
    return (stream, scope, siblings) => {
      const value = link(stream, scope, siblings)
      return value === KEEP ? generated(stream, scope) : value
    }
  }

  const compileUnlinked = (schema: Schema, at: Position): Generate => {
    if (typeof schema['$ref'] === 'string' && Object.keys(schema).every((key) => ANNOTATIONS.has(key))) {
      return compileReference(resolve(schema['$ref']), at)
    }
    const flat = flatten(schema, resolve)
    const generate = compileFlat(flat, at)
    const hard = flat[VERIFY] === true || Object.keys(flat).some((keyword) => TESTED.has(keyword))
    return hard ? tested(generate, schema, checker) : generate
  }

  const compileReference = (target: Schema, at: Position): Generate => {
    const known = references.get(target)
    if (known !== undefined) return known
    let compiled: Generate | undefined
    let active = 0
    const generate: Generate = (stream, scope) => {
      compiled ??= compile(target, { model: modelName(target, at.model), field: at.field })
      const depth = active > 0 ? RECURSION_DEPTH : REFERENCE_DEPTH
      active++
      scope.depth += depth
      try {
        return compiled(stream, scope)
      } finally {
        active--
        scope.depth -= depth
      }
    }
    references.set(target, generate)
    return generate
  }

  const compiler: Compiler = {
    compile,
    compileLink(schema, at) {
      const linking = typeof schema === 'boolean' ? undefined : linkWithin(schema)
      return linking === undefined
        ? undefined
        : compileLink(linking, schema as Schema, at, { checker, resolve })
    },
    resolve,
    checker,
    heights,
  }
  const compileFlat = (schema: Schema, at: Position): Generate => compileKind(schema, at, compiler)
  return compile(root, { model, field: '' })
}

function compileKind(schema: Schema, at: Position, compiler: Compiler): Generate {
  if (Object.hasOwn(schema, 'const')) return () => schema['const']
  const values = schema['enum']
  if (Array.isArray(values)) return values.length > 0 ? (stream) => stream.pick(values) : nothing(at)
  if (Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']))
    return compileUnion(schema, at, compiler)

  const [type = impliedType(schema), ...others] = typesOf(schema)
  if (others.length > 0) {
    const members = [type, ...others].map((each) => ({ ...schema, type: each }))
    return compileUnion({ anyOf: members }, at, compiler)
  }
  return KINDS[type]?.(schema, at, compiler) ?? nothing(at)
}

type CompileKind = (schema: Schema, at: Position, compiler: Compiler) => Generate

const KINDS: Readonly<Record<string, CompileKind>> = {
  object: compileObject,
  array: compileArray,
  string: compileString,
  integer: compileNumber,
  number: compileNumber,
  boolean: () => (stream) => stream.next() < 0.5,
  null: () => () => null,
}

const ANYTHING: Generate = (stream) => stream.uint32()

// Keywords beside a `$ref` that do not narrow what it names.
const ANNOTATIONS = new Set([
  ...['$ref', '$defs', 'definitions', '$comment', 'title', 'description', 'summary'],
  ...['default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'x-sim-link'],
])

// Keywords that are met by trying: the value is generated without them and tested.
const TESTED = new Set([
  ...[
    'not',
    'if',
    'oneOf',
    'contains',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
  ],
  ...['unevaluatedProperties', 'unevaluatedItems'],
])
const MOST_ATTEMPTS = 50

function tested(generate: Generate, schema: Schema, checker: Checker): Generate {
  return (stream, scope) => {
    const first = generate(stream, scope)
    if (checker.fits(first, schema)) return first
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
      const value = generate(stream.child(RETRY + attempt), scope)
      if (checker.fits(value, schema)) return value
    }
    return first
  }
}

const RETRY = hashText('another attempt')

function impliedType(schema: Schema): string {
  for (const [type, keywords] of IMPLIED) if (keywords.some((keyword) => keyword in schema)) return type
  return 'string'
}

const IMPLIED: readonly [string, readonly string[]][] = [
  ['object', ['properties', 'patternProperties', 'additionalProperties', 'required', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

function nothing(at: Position): Generate {
  return () => {
    throw new ModelNotGenerable(`${at.model}.${at.field}: its schema allows no value at all`)
  }
}
