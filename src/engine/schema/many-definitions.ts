import { remembered } from '../lazy.ts'
import { schemasOf, subschemasOf } from './keywords.ts'
import { readFragment } from './pointer.ts'
import { isObject, type Schema, type SchemaOrBoolean } from './schema.ts'

/** The definitions of a model, by name. */
export type Definitions = Readonly<Record<string, SchemaOrBoolean>>

/** With fewer, all of a model is compiled at once: it runs faster, and all of it is known to be valid. */
const MANY = 50
/** The code of a choice is nested as deep as it has members: with more, it takes seconds to read, or cannot be read. */
const MANY_MEMBERS = 200

/**
 * The definitions of a large model, which mean the same in each model that has them.
 * @returns nothing for a model with few definitions and no large choice, or whose parts have names, or refer to other places
 */
export function manyDefinitionsOf(root: Schema): Definitions | undefined {
  const { $defs: definitions = NONE, ...own } = root
  if (!isObject(definitions)) return undefined
  const isLarge = areLarge(definitions) || hasLargeChoice(own)
  return isLarge && isPlain(own) && arePlain(definitions) ? (definitions as Definitions) : undefined
}

const NONE: Definitions = {}

// Definitions are shared by the models of a description.
const areLarge = remembered((definitions: Readonly<Record<string, unknown>>): boolean => {
  const all = Object.values(definitions)
  return all.length >= MANY || all.some(isLargePart)
}, new WeakMap())
const arePlain = remembered(
  (definitions: Readonly<Record<string, unknown>>): boolean =>
    Object.values(definitions).every(isPlainDefinition),
  new WeakMap(),
)

function isLargePart(part: unknown): boolean {
  return isObject(part) && hasLargeChoice(part)
}

function hasLargeChoice(part: Schema): boolean {
  const isLarge = (keyword: string): boolean => (schemasOf(part, keyword)?.length ?? 0) >= MANY_MEMBERS
  return isLarge('oneOf') || isLarge('anyOf') || subschemasOf(part).some(isLargePart)
}

/** The name of the definition that a reference leads to; nothing for what leads elsewhere. */
export function definitionIn(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/$defs/')) return undefined
  const [, name, ...below] = readFragment(reference.slice(1))
  return below.length === 0 ? name : undefined
}

// Whether what a part means depends on definitions alone, and nothing in it has a name.
function isPlain(part: Schema): boolean {
  const { $ref: reference } = part
  return (
    (reference === undefined || definitionIn(reference) !== undefined) &&
    !Object.keys(part).some((keyword) => NOT_PLAIN.has(keyword)) &&
    subschemasOf(part).every(isPlainPart)
  )
}

function isPlainPart(part: unknown): boolean {
  return !isObject(part) || isPlain(part)
}

// What a schema has evaluated is said by what it refers to.
const NOT_PLAIN = new Set([
  ...['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$defs', 'definitions'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
])

// Definitions are shared by the models of a description, each of which has a list of them.
const plainDefinitions = new WeakMap<object, boolean>()

function isPlainDefinition(part: unknown): boolean {
  if (!isObject(part)) return true
  const known = plainDefinitions.get(part) ?? isPlain(part)
  plainDefinitions.set(part, known)
  return known
}
