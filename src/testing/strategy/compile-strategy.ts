import fc from 'fast-check'
import { createChecker } from '../../engine/schema/checker.ts'
import { createHeights } from '../../engine/schema/height.ts'
import { kindByKeywords, kindOf } from '../../engine/schema/keywords.ts'
import { createFold, VERIFY } from '../../engine/schema/merge.ts'
import {
  createResolver,
  modelName,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
  type Model,
} from '../../engine/schema/schema.ts'
import { ModelNotGenerable } from '../../errors.ts'
import { arrayStrategy } from './array.ts'
import { fitting, lazily, impossible, nameOf, type StrategyPosition, type Strategies } from './strategies.ts'
import { numberStrategy } from './number.ts'
import { objectStrategy } from './object.ts'
import { stringStrategy } from './string.ts'
import { isUnion, unionStrategy } from './union.ts'
import { schemaOfModel } from '../../engine/schema/standard.ts'

/** How inputs are drawn. */
export interface StrategyOptions {
  /** How often a model may occur within itself. Default: 2. */
  readonly maxDepth?: number
}

interface CompileOptions extends StrategyOptions {
  /** What becomes of the strategy of one of the model's own fields. */
  readonly adaptField?: Strategies['adaptField']
}

/**
 * The arbitrary of a model's valid values.
 * @throws ModelNotGenerable when no value is valid; where only drawing can show it, when drawing
 */
export function compileStrategy(root: Schema, options: CompileOptions = {}): fc.Arbitrary<unknown> {
  const { maxDepth = 2, adaptField = (_name, _schema, strategy) => strategy } = options
  const resolve = createResolver(root)
  const fold = createFold(resolve)
  const checker = createChecker(root)
  const heights = createHeights(resolve, fold)
  const known = new Map<Schema, Map<string, fc.Arbitrary<unknown>>>()

  const strategyFor = (schema: SchemaOrBoolean, at: StrategyPosition): fc.Arbitrary<unknown> => {
    const folded = fold(schema)
    if (typeof folded === 'boolean') {
      if (folded) return anything
      throw impossible(at)
    }
    const again = at.within.includes(folded)
    const place = { ...at, depth: at.depth + Number(again), within: [...at.within, folded] }
    const key = `${place.depth} ${at.field === ''}`
    const byPlace = known.get(folded) ?? new Map<string, fc.Arbitrary<unknown>>()
    known.set(folded, byPlace)
    const make = (): fc.Arbitrary<unknown> => strategyForFold(folded, place)
    const strategy = byPlace.get(key) ?? (again ? lazily(make) : make())
    byPlace.set(key, strategy)
    return strategy
  }

  // Keywords that were lost in folding, or that no kind builds in, are met by trying.
  const strategyForFold = (folded: Schema, at: StrategyPosition): fc.Arbitrary<unknown> => {
    const drawn = strategyForKind(folded, at)
    const goal = (folded[VERIFY] ?? folded) as Schema
    const isHard = goal !== folded || Object.keys(folded).some((keyword) => TESTED.has(keyword))
    return isHard ? fitting(drawn, (value) => checker.fits(value, goal), nameOf(at)) : drawn
  }

  const strategyForKind = (folded: Schema, at: StrategyPosition): fc.Arbitrary<unknown> => {
    const constants = Object.hasOwn(folded, 'const') ? [folded['const']] : folded['enum']
    if (Array.isArray(constants)) {
      const values: unknown[] = constants.filter((value) => checker.fits(value, folded))
      if (values.length === 0) throw impossible(at)
      return fc.constantFrom(...values)
    }
    if (isUnion(folded)) return unionStrategy(folded, at, strategies)
    if (typesOf(folded).length === 0 && kindByKeywords(folded) === undefined) return anything
    const type = kindOf(folded)
    const make = KINDS[type]
    if (make === undefined) throw impossible(at)
    return make({ ...folded, type }, at, strategies)
  }

  const isDeep = ({ depth }: StrategyPosition): boolean => depth > maxDepth
  const strategies: Strategies = { strategyFor, checker, heights, adaptField, isDeep }
  if (heights.of(root) === Infinity) {
    throw new ModelNotGenerable(`${modelName(root)}: its schema allows no value at all, or only endless ones`)
  }
  const drawn = strategyFor(root, { field: '', depth: 0, within: [] })
  return fitting(drawn, (value) => checker.fits(value), modelName(root))
}

type StrategyOfKind = (schema: Schema, at: StrategyPosition, strategies: Strategies) => fc.Arbitrary<unknown>

const KINDS: Readonly<Record<string, StrategyOfKind>> = {
  object: objectStrategy,
  array: arrayStrategy,
  string: stringStrategy,
  integer: numberStrategy,
  number: numberStrategy,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  { withCrossShrink: true },
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.record({ value: fc.integer() }, { noNullPrototype: true }),
)

const TESTED = new Set([
  ...['not', 'if', 'anyOf', 'oneOf', 'contains', 'propertyNames', 'patternProperties', 'uniqueItems'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties', 'unevaluatedItems'],
])

/**
 * A fast-check arbitrary of valid inputs of a model, any JSON Schema; optional fields are sometimes absent.
 * @throws ModelNotGenerable when no input is valid; where only drawing can show it, when drawing
 */
export function strategyForInputModel<Input = Record<string, unknown>>(
  model: Model,
  options: StrategyOptions = {},
): fc.Arbitrary<Input> {
  return compileStrategy(schemaOfModel(model, 'input'), options) as fc.Arbitrary<Input>
}
