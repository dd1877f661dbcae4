import { LRUCache } from 'lru-cache'
import { inputIssue } from '../../engine/input-issue.ts'
import { parseJsonText } from '../../engine/json-text.ts'
import type { Parameter } from '../../engine/operation.ts'
import { createChecker, type Checker } from '../../engine/schema/checker.ts'
import { copyValue } from '../../engine/schema/copy-value.ts'
import type { FieldSchemas } from '../../engine/schema/fields.ts'
import { schemasOf } from '../../engine/schema/keywords.ts'
import { createFold } from '../../engine/schema/merge.ts'
import {
  createResolver,
  typesOf,
  type Schema,
  type Resolve,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { InputInvalid, type InputIssue } from '../../errors.ts'
import { mediaKindOf } from '../../media-type.ts'
import {
  createBareCommaFinder,
  createJsonFinder,
  createFinder,
  type ParameterPlaces,
  type Sources,
} from './parameter-source.ts'
import { createTreeReaders, type TextTree } from './text-tree.ts'

/** Reads one parameter of a request, `undefined` where it has no value; what is wrong with it joins the issues. */
export type ReadParameter = (sources: Sources, issues: InputIssue[]) => unknown

/**
 * Makes the reader of a parameter.
 * @param places of its route; names of the query that belong to other parameters belong to no exploded object
 * @param taken the names of all parameters in the same place
 */
export function createParameterReader(
  parameter: Parameter,
  places: ParameterPlaces,
  taken: ReadonlySet<string>,
): ReadParameter {
  const { name, required, model, mediaType, allowEmptyValue = false } = parameter
  const place = [parameter.in, name]
  const resolve = createResolver(model)
  const checker = parameterChecker(model)
  const { read: readTree, fields, ...reader } = createTreeReaders(resolve)(model)
  const shapes = mediaType === undefined ? reader.shapes : (['text'] as const)
  const isJson = mediaType !== undefined && mediaKindOf(mediaType) === 'json'
  const owns = ownerOf(fields, (other) => other !== name && taken.has(other))
  const preset = defaultOf(model, resolve)
  // A server that has nothing of what a client prefers answers all the same, and some clients send `*`.
  const isPreference = parameter.in === 'header' && /^accept-(language|charset|encoding)$/i.test(name)

  const finders = shapes.map((shape) => createFinder(parameter, shape, places, owns))
  // Many clients escape the commas of a list as well: that is tried where a list does not fit otherwise.
  const isJoined = parameter.in === 'query' && parameter.style === 'form' && !parameter.explode
  if (isJoined && shapes.includes('list')) finders.push(createBareCommaFinder(parameter))

  // Many clients write an object as JSON, whatever its style.
  const mayBeJson =
    parameter.in === 'query' && !isJson && shapes.includes('object') && !shapes.includes('text')
  if (mayBeJson) finders.unshift(createJsonFinder(parameter, places))

  const folded = createFold(resolve)(model)
  const isText = typeof folded === 'object' && typesOf(folded).includes('string')
  const readJson = (tree: TextTree): unknown => {
    if (typeof tree !== 'string') return readTree(tree)
    // Few clients put a text that stands alone into quotes.
    return isText && !tree.startsWith('"') ? tree : parseJsonText(tree, place)
  }
  const read = isJson ? readJson : readTree
  const isForgiven = (tree: TextTree): boolean => isEmpty(tree) && !checker.fits(readTree(tree))
  const absent = (issues: InputIssue[], isRequired: boolean): unknown => {
    if (!isRequired) return typeof preset === 'object' ? copyValue(preset) : preset
    issues.push({ type: 'missing', loc: place, msg: 'Field required', input: null })
    return undefined
  }

  const readParameter: ReadParameter = (sources, issues) => {
    let wrong: readonly InputIssue[] | undefined
    for (const find of finders) {
      const tree = find(sources)
      if (tree === undefined) continue
      if (allowEmptyValue && isForgiven(tree)) return absent(issues, false)
      const value = read(tree)
      const violations = checker.check(value)
      if (violations.length === 0) return value
      wrong ??= violations.map((violation) => inputIssue(violation, value, place))
    }
    if (wrong === undefined || isPreference) return absent(issues, wrong === undefined && required)
    issues.push(...wrong)
    return undefined
  }
  if (!isJson) return readParameter
  return (sources, issues) => {
    try {
      return readParameter(sources, issues)
    } catch (error) {
      if (!(error instanceof InputInvalid)) throw error
      issues.push(...error.issues)
      return undefined
    }
  }
}

function isEmpty(tree: TextTree): boolean {
  return tree === '' || (Array.isArray(tree) && tree.length === 0) || (tree instanceof Map && tree.size === 0)
}

/** Which names that stand alone are fields of an exploded object: those it declares, and any where it is open. */
function ownerOf(
  fields: FieldSchemas | undefined,
  isTaken: (name: string) => boolean,
): (name: string) => boolean {
  if (fields === undefined) return () => false
  const { declared, other, isClosed } = fields
  return (name) => declared.has(name) || (isClosed && other(name) !== false && !isTaken(name))
}

// A large description has some hundreds of different parameters in thousands of places.
const checkers = new LRUCache<string, Checker>({ max: 1000 })

/** A checker of a parameter's values, which fills in defaults; equal models have the same one. */
export function parameterChecker(model: Schema): Checker {
  const text = JSON.stringify(model)
  const checker = checkers.get(text) ?? createChecker(model, { defaults: true })
  checkers.set(text, checker)
  return checker
}

/** The default that a schema gives itself, or takes from what it refers to. */
export function defaultOf(schema: SchemaOrBoolean, resolve: Resolve): unknown {
  return find(schema, resolve, new Set())
}

function find(schema: SchemaOrBoolean, resolve: Resolve, seen: Set<Schema>): unknown {
  if (typeof schema === 'boolean' || seen.has(schema)) return undefined
  seen.add(schema)
  if (schema['default'] !== undefined) return schema['default']
  const { $ref: reference } = schema
  const parts = [
    ...(typeof reference === 'string' ? [resolve(reference)] : []),
    ...(schemasOf(schema, 'allOf') ?? []),
  ]
  return parts.map((part) => find(part, resolve, seen)).find((value) => value !== undefined)
}
