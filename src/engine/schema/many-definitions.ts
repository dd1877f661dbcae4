import { SUBSCHEMAS } from './keywords.ts'
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
  if (!isObject(definitions) || !isPlain(own)) return undefined
  const known = shared.get(definitions) ?? readDefinitions(definitions)
  shared.set(definitions, known)
  const isLarge = known.isLarge || hasLargeChoice(own)
  return known.isPlain && isLarge ? (definitions as Definitions) : undefined
}

const NONE: Definitions = {}

const shared = new WeakMap<object, ReturnType<typeof readDefinitions>>()

function readDefinitions(definitions: Record<string, unknown>): {
  readonly isPlain: boolean
  readonly isLarge: boolean
} {
  const all = Object.values(definitions)
  return {
    isPlain: all.every(isPlainDefinition),
    isLarge: all.length >= MANY || all.some((each) => isObject(each) && hasLargeChoice(each)),
  }
}

function hasLargeChoice(part: Schema): boolean {
  return Object.entries(part).some(([keyword, value]) => {
    if (!SUBSCHEMAS.has(keyword)) return false
    const parts = Array.isArray(value) ? value : isObject(value) ? partsOf(keyword, value) : []
    const isLarge = (keyword === 'oneOf' || keyword === 'anyOf') && parts.length >= MANY_MEMBERS
    return isLarge || parts.some((each) => isObject(each) && hasLargeChoice(each))
  })
}

function partsOf(keyword: string, value: Record<string, unknown>): readonly unknown[] {
  return SUBSCHEMAS.get(keyword) === 'named' ? Object.values(value) : [value]
}

/** The name of the definition that a reference leads to; nothing for what leads elsewhere. */
export function definitionIn(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/$defs/')) return undefined
  const [, name, ...below] = readFragment(reference.slice(1))
  return below.length === 0 ? name : undefined
}

// Whether what a part means depends on definitions alone, and nothing in it has a name.
function isPlain(part: Schema): boolean {
  return Object.entries(part).every(([keyword, value]) => {
    if (keyword === '$ref') return definitionIn(value) !== undefined
    if (NOT_PLAIN.has(keyword)) return false
    if (!SUBSCHEMAS.has(keyword)) return true
    if (isObject(value) && SUBSCHEMAS.get(keyword) === 'named') return Object.values(value).every(isPlainPart)
    return Array.isArray(value) ? value.every(isPlainPart) : isPlainPart(value)
  })
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
