import { isDeepStrictEqual } from 'node:util'
import { isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { isIdName } from '../../shape/evidence.ts'
import { formOfTokens, madeKind } from '../../shape/made-values.ts'
import { SEEN } from '../../shape/observed-schema.ts'
import { addText, createSketch } from '../../shape/sketch.ts'

/** Longer texts are generated: a file of routes is there to be read. */
export const MAX_LENGTH = 400

/**
 * A model of what was recorded, whose parts say which values they had: what is made by it is then like what the server
 * made. Ids, times and hashes, which a server makes anew each time, are left to their generators.
 */
export function withExamples(model: Schema, values: readonly unknown[], name = ''): Schema {
  const examples = examplesOf(model, values, name)
  if (examples.length > 0) return { ...model, examples }
  const isPlain = Object.keys(model).every((keyword) => keyword === 'type' || keyword === SEEN)
  const token = isPlain && values.length > 0 && !isIdName(name) ? formOfTokens(values) : undefined
  return token === undefined ? withParts(model, values) : { ...model, ...token }
}

function withParts(model: Schema, values: readonly unknown[]): Schema {
  const objects = values.filter(isObject)
  const { items, additionalProperties: rest } = model
  const properties = propertiesOf(model).map(([name, part]): [string, unknown] => {
    const own: unknown[] = []
    for (const value of objects) if (Object.hasOwn(value, name)) own.push(value[name])
    return [name, isObject(part) ? withExamples(part, own, name) : part]
  })
  return {
    ...model,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isObject(items) && { items: withExamples(items, values.filter(Array.isArray).flat()) }),
    ...(isObject(rest) && { additionalProperties: withExamples(rest, objects.flatMap(Object.values)) }),
  }
}

function examplesOf(model: Schema, values: readonly unknown[], name: string): readonly unknown[] {
  if (values.length > 0 && values.every(isEmptyList)) return [[]]
  if (isConstantList(values)) return values.slice(0, 1)
  // An empty text names nothing.
  const isId = isIdName(name) && !values.every((value) => value === '')
  if (values.length === 0 || 'const' in model || 'enum' in model || isId) return []
  // Most values come again and again.
  const different = new Set(values)
  for (const value of different) if (typeof value === 'object' && value !== null) return []
  const isConstant = values.length > 1 && different.size === 1
  const isMade = (value: unknown): boolean =>
    typeof value === 'string' && (value.length > MAX_LENGTH || madeKind(value) !== undefined)
  // Of few times it is not said that all are that.
  const areTimes = !('format' in model) && [...different].every(isTime)
  if (!isConstant && !areTimes && ('format' in model || [...different].some(isMade))) return []
  const sketch = createSketch()
  for (const value of different) addText(sketch, JSON.stringify(value))
  return [...sketch.kept.keys()].toSorted().map((text): unknown => JSON.parse(text))
}

function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' && /^(date-time|http-date|local date and time)$/.test(madeKind(value) ?? '')
  )
}

// A short list of plain values that was always the same, such as the schemas of what is around it.
function isConstantList(values: readonly unknown[]): boolean {
  const [first] = values
  if (values.length < 2 || !Array.isArray(first) || first.length > MAX_ITEMS) return false
  const isPlain = (part: unknown): boolean =>
    (typeof part !== 'object' || part === null) &&
    !(typeof part === 'string' && (part.length > MAX_LENGTH || madeKind(part) !== undefined))
  return first.every(isPlain) && values.every((each) => isDeepStrictEqual(each, first))
}

const MAX_ITEMS = 20

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
