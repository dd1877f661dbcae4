import fc from 'fast-check'
import { ModelNotGenerable } from '../../errors.ts'

const MOST_MISSES = 2000

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
    for (let miss = 0; miss < MOST_MISSES; miss++) {
      const drawn = this.#inner.generate(random, bias)
      if (this.#fits(drawn.value)) return drawn
    }
    throw new ModelNotGenerable(`${this.#what}: none of ${MOST_MISSES} drawn values fits its schema`)
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
