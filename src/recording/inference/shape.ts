import { isObject } from '../../engine/schema/schema.ts'

/** All that was seen of one place in many values. */
export interface Shape {
  count: number
  nulls: number
  booleans: number
  readonly strings: Tally<string>
  readonly integers: Tally<number>
  readonly decimals: Tally<number>
  arrays: number
  /** Of arrays. */
  readonly lengths: { min: number; max: number }
  items?: Shape
  objects: number
  readonly properties: Map<string, Shape>
}

/** Scalars of one type: how many, which (as long as they are few), and their bounds. */
export interface Tally<Value> {
  count: number
  /** Each value with its count; no longer added to once there are more than 64. */
  readonly values: Map<Value, number>
  /** Of numbers, their size; of texts, their length in code points. */
  min: number
  max: number
  /** The formats that every text so far has. */
  formats?: ReadonlySet<string>
}

const MAX_VALUES = 64

/** A shape that has seen nothing. */
export function createShape(): Shape {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    strings: createTally(),
    integers: createTally(),
    decimals: createTally(),
    arrays: 0,
    lengths: { min: Infinity, max: 0 },
    objects: 0,
    properties: new Map(),
  }
}

/** Adds one value to a shape, and its parts to the parts. */
export function addValue(
  shape: Shape,
  value: unknown,
  formatsOf: (text: string) => ReadonlySet<string>,
): void {
  shape.count++
  if (value === null) shape.nulls++
  else if (typeof value === 'boolean') shape.booleans++
  else if (typeof value === 'number') {
    addScalar(Number.isInteger(value) ? shape.integers : shape.decimals, value, value)
  } else if (typeof value === 'string') {
    const tally = shape.strings
    const formats = formatsOf(value)
    tally.formats = tally.formats === undefined ? formats : common(tally.formats, formats)
    addScalar(tally, value, Array.from(value).length)
  } else if (Array.isArray(value)) {
    shape.arrays++
    shape.lengths.min = Math.min(shape.lengths.min, value.length)
    shape.lengths.max = Math.max(shape.lengths.max, value.length)
    for (const item of value) addValue((shape.items ??= createShape()), item, formatsOf)
  } else if (isObject(value)) {
    shape.objects++
    for (const [name, part] of Object.entries(value)) {
      // A validator would ask every object for it.
      if (name === '__proto__') continue
      const known = shape.properties.get(name) ?? createShape()
      shape.properties.set(name, known)
      addValue(known, part, formatsOf)
    }
  }
}

function createTally<Value>(): Tally<Value> {
  return { count: 0, values: new Map(), min: Infinity, max: -Infinity }
}

function addScalar<Value>(tally: Tally<Value>, value: Value, size: number): void {
  tally.count++
  tally.min = Math.min(tally.min, size)
  tally.max = Math.max(tally.max, size)
  const seen = tally.values.get(value)
  if (seen !== undefined || tally.values.size <= MAX_VALUES) tally.values.set(value, (seen ?? 0) + 1)
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((format) => b.has(format)))
}
