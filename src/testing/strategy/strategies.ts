import fc from 'fast-check'
import type { Checker } from '../../engine/schema/checker.ts'
import type { Heights } from '../../engine/schema/height.ts'
import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { ModelNotGenerable } from '../../errors.ts'

/** Where a schema stands in its model. */
export interface StrategyPosition {
  /** Field names from the model down, for messages. */
  readonly field: string
  /** How often a schema met itself on the way here. */
  readonly depth: number
  /** The folded schemas on the way here. */
  readonly within: readonly Schema[]
}

/** What the strategies of the single kinds of schema share. */
export interface Strategies {
  strategyFor(schema: SchemaOrBoolean, at: StrategyPosition): fc.Arbitrary<unknown>
  readonly checker: Checker
  readonly heights: Heights
  /** Whether values of a place are to be as small as their schemas allow, so that recursion ends. */
  isDeep(at: StrategyPosition): boolean
  /** What becomes of the strategy of one of the model's own fields. */
  adaptField(name: string, schema: SchemaOrBoolean, strategy: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>
}

/** The place of a part below another. */
export function below(at: StrategyPosition, name: string): StrategyPosition {
  return { ...at, field: at.field === '' ? name : `${at.field}.${name}` }
}

/** What messages call a place. */
export function nameOf(at: StrategyPosition): string {
  return at.field === '' ? 'the model' : at.field
}

/** The error of a schema that no value fits. */
export function impossible(at: StrategyPosition): ModelNotGenerable {
  return new ModelNotGenerable(`${nameOf(at)}: its schema allows no value at all`)
}

const MAX_MISSES = 2000

/**
 * An arbitrary whose values all pass a test, and which gives up where hardly any would:
 * fast-check's own `filter` then searches without end.
 * @throws ModelNotGenerable when drawing, after 2000 misses in a row
 */
export function fitting<Value>(
  arbitrary: fc.Arbitrary<Value>,
  fits: (value: Value) => boolean,
  what: string,
): fc.Arbitrary<Value> {
  return new Fitting(arbitrary, fits, what)
}

/** An arbitrary that is made when it is first drawn from, so that a model may hold itself. */
export function lazily<Value>(make: () => fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return new Lazy(make)
}

class Fitting<Value> extends fc.Arbitrary<Value> {
  readonly #inner: fc.Arbitrary<Value>
  readonly #fits: (value: Value) => boolean
  readonly #what: string

  constructor(inner: fc.Arbitrary<Value>, fits: (value: Value) => boolean, what: string) {
    super()
    this.#inner = inner
    this.#fits = fits
    this.#what = what
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Value> {
    for (let miss = 0; miss < MAX_MISSES; miss++) {
      const drawn = this.#inner.generate(random, bias)
      if (this.#fits(drawn.value)) return drawn
    }
    throw new ModelNotGenerable(`${this.#what}: none of ${MAX_MISSES} drawn values fits its schema`)
  }

  override canShrinkWithoutContext(value: unknown): value is Value {
    return this.#inner.canShrinkWithoutContext(value) && this.#fits(value)
  }

  override shrink(value: Value, context: unknown): fc.Stream<fc.Value<Value>> {
    return this.#inner.shrink(value, context).filter((smaller) => this.#fits(smaller.value))
  }
}

class Lazy<Value> extends fc.Arbitrary<Value> {
  readonly #make: () => fc.Arbitrary<Value>
  #made: fc.Arbitrary<Value> | undefined

  constructor(make: () => fc.Arbitrary<Value>) {
    super()
    this.#make = make
  }

  get #inner(): fc.Arbitrary<Value> {
    return (this.#made ??= this.#make())
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Value> {
    return this.#inner.generate(random, bias)
  }

  override canShrinkWithoutContext(value: unknown): value is Value {
    return this.#inner.canShrinkWithoutContext(value)
  }

  override shrink(value: Value, context: unknown): fc.Stream<fc.Value<Value>> {
    return this.#inner.shrink(value, context)
  }
}
