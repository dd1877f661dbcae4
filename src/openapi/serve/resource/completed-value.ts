import { partOf } from '../../../engine/list-shape.ts'
import { remembered } from '../../../engine/lazy.ts'
import type { Stream } from '../../../engine/random.ts'
import type { Checker } from '../../../engine/schema/checker.ts'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import { fieldsOf } from '../../../engine/schema/fields.ts'
import { itemsOf, kindOf, requiredOf } from '../../../engine/schema/keywords.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  type Entries,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'

/** Makes a value that was sent one that a schema can hold; `undefined` where that cannot be. */
export type CompleteValue = (value: unknown, schema: SchemaOrBoolean, stream: Stream) => unknown

/** How deep the objects of a value are completed. */
const MAX_DEPTH = 4

/**
 * Completes what requests send of the parts of an item, in which servers set fields of their own: a line of an order has
 * an id only when it is shown. As little is added as the schema asks for.
 * @param item the model that the schemas are parts of
 */
export function createCompleter(item: Schema, checker: Checker): CompleteValue {
  const resolve = createResolver(item)
  const fold = createFold(resolve)
  const generatorOf = remembered(
    (schema: Schema) => compileGenerator(partOf(item, schema)),
    new WeakMap<Schema, ReturnType<typeof compileGenerator>>(),
  )
  const completeObject = (value: Entries, schema: Schema, stream: Stream, depth: number): unknown => {
    const parts = fieldsOf(schema, resolve)
    const own: Entries = {}
    for (const [name, each] of Object.entries(value)) {
      const part = parts.get(name)
      const held = part === undefined ? each : complete(each, part, stream.childOf(name), depth + 1)
      if (held !== undefined) own[name] = held
    }
    const made = generatorOf(schema)(stream, { route: '', input: {}, headers: {}, depth: 0 })
    if (!isObject(made)) return undefined
    const needed = requiredOf(schema).filter((name) => Object.hasOwn(made, name))
    const least = Object.fromEntries(needed.map((name) => [name, made[name]]))
    return [
      { ...least, ...own },
      { ...made, ...own },
    ].find((each) => checker.fits(each, schema))
  }
  const complete = (value: unknown, schema: SchemaOrBoolean, stream: Stream, depth: number): unknown => {
    if (typeof schema === 'boolean' || checker.fits(value, schema)) return value
    const folded = fold(schema)
    if (typeof folded === 'boolean' || depth > MAX_DEPTH) return undefined
    if (Array.isArray(value)) {
      if (kindOf(folded) !== 'array') return undefined
      const { rest } = itemsOf(folded)
      const all = value.map((each, index) => complete(each, rest, stream.child(index), depth + 1))
      return !all.includes(undefined) && checker.fits(all, schema) ? all : undefined
    }
    if (isObject(value))
      return kindOf(folded) === 'object' ? completeObject(value, folded, stream, depth) : undefined
    const isText = typeof value === 'string' && value.trim() !== ''
    const other = isText ? Number(value) : typeof value === 'number' ? String(value) : undefined
    return other !== undefined && checker.fits(other, schema) ? other : undefined
  }
  return (value, schema, stream) => complete(value, schema, stream, 0)
}
