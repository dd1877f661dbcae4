import type { Schema } from '../engine/schema/schema.ts'
import { canonicalText } from '../engine/random.ts'
import { copySchema } from './copy-schema.ts'
import type { Located } from './scope.ts'

/** A schema without what it finds elsewhere: its text with numbers for those parts, and the parts. */
interface Shape {
  readonly text: string
  /** References, and models with a name. */
  readonly parts: readonly (string | Schema)[]
}

/** Two models, one from here and one from there. */
export type Pair = readonly [Located, Located]

/**
 * Compares two models: the pairs of models found the same on the way, the two among them, or `undefined`
 * where they differ. Models that contain themselves are the same when no difference is ever met.
 */
export type CompareModels = (a: Located, b: Located) => readonly Pair[] | undefined

/** A comparison that remembers what schemas look like. */
export function createModelComparison(): CompareModels {
  const shapes = new Map<Schema, Shape>()
  const shapeOf = (schema: Schema): Shape => {
    const shape = shapes.get(schema) ?? createShape(schema)
    shapes.set(schema, shape)
    return shape
  }

  const isSame = (a: Located, b: Located, met: Map<Located, Set<Located>>): boolean => {
    const others = met.get(a) ?? new Set()
    if (a === b || others.has(b)) return true
    met.set(a, others.add(b))
    const [left, right] = [shapeOf(a.schema), shapeOf(b.schema)]
    if (left.text !== right.text) return false
    return left.parts.every((part, index) =>
      isSame(locate(a, part), locate(b, right.parts[index] ?? {}), met),
    )
  }
  return (a, b) => {
    const met = new Map<Located, Set<Located>>()
    if (!isSame(a, b, met)) return undefined
    return [...met].flatMap(([one, others]) => [...others].map((other): Pair => [one, other]))
  }
}

function locate({ scope }: Located, part: string | Schema): Located {
  return typeof part === 'string' ? scope.find(part) : scope.at(part)
}

function createShape(schema: Schema): Shape {
  const parts: (string | Schema)[] = []
  const take = (part: string | Schema): string => String(parts.push(part))
  const copy = copySchema(schema, { reference: take, named: (model) => ({ $ref: take(model) }) })
  return { text: canonicalText(copy), parts }
}
