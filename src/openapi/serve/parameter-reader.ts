import { LRUCache } from 'lru-cache'
import { inputIssue } from '../../engine/input-issue.ts'
import { parseJsonText } from '../../engine/json-text.ts'
import type { Parameter } from '../../engine/operation.ts'
import { createChecker, type Checker } from '../../engine/schema/checker.ts'
import type { FieldSchemas } from '../../engine/schema/fields.ts'
import { schemasOf } from '../../engine/schema/keywords.ts'
import {
  createResolver,
  type Schema,
  type Resolve,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { InputInvalid, type InputIssue } from '../../errors.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Pair } from './parameter-style.ts'
import { findParameter, type Sources } from './parameter-source.ts'
import { createTreeReaders, type Shape, type TextTree } from './text-tree.ts'

/** A parameter's value, absent where it has none; or what is wrong with it. */
export interface Reading {
  readonly value?: unknown
  readonly issues?: readonly InputIssue[]
}

/** Reads one parameter of a request. */
export type ReadParameter = (sources: Sources) => Reading

/**
 * Makes the reader of a parameter.
 * @param taken names of the query or the cookies that belong to other parameters, and so to no exploded object
 */
export function createParameterReader(parameter: Parameter, taken: ReadonlySet<string>): ReadParameter {
  const { name, required, model, mediaType } = parameter
  const place = [parameter.in, name]
  const resolve = createResolver(model)
  const checker = parameterChecker(model)
  const { read, fields, ...reader } = createTreeReaders(resolve)(model)
  const shapes = mediaType === undefined ? reader.shapes : (['text'] as const)
  const isJson = mediaType !== undefined && mediaKindOf(mediaType) === 'json'
  const owns = ownerOf(fields, taken)

  const judge = (value: unknown): Reading => {
    const violations = checker.check(value)
    if (violations.length === 0) return { value }
    return { issues: violations.map((violation) => inputIssue(violation, value, place)) }
  }
  const absent = (isForgiven: boolean): Reading => {
    if (required && !isForgiven) {
      return { issues: [{ type: 'missing', loc: place, msg: 'Field required', input: null }] }
    }
    const value = defaultOf(model, resolve)
    return value === undefined ? {} : { value }
  }

  // Many clients escape the commas of a list as well: that is tried where a list does not fit otherwise.
  const isJoined = parameter.in === 'query' && parameter.style === 'form' && !parameter.explode
  const attempts: readonly (readonly [Shape, hasBareCommas?: true])[] = [
    ...shapes.map((shape) => [shape] as const),
    ...(isJoined && shapes.includes('list') ? [['list', true] as const] : []),
  ]

  return (sources) => {
    let first: Reading | undefined
    for (const [shape, hasBareCommas] of attempts) {
      const sought = hasBareCommas === true ? withBareCommas(sources) : sources
      const tree = findParameter(sought, parameter, shape, owns)
      if (tree === undefined) continue
      if (parameter.allowEmptyValue === true && isEmpty(tree) && !checker.fits(read(tree)))
        return absent(true)
      const reading = isJson && typeof tree === 'string' ? readJson(tree) : judge(read(tree))
      if (reading.issues === undefined) return reading
      first ??= reading
    }
    return first ?? absent(false)
  }

  function readJson(text: string): Reading {
    try {
      return judge(parseJsonText(text, place))
    } catch (error) {
      if (error instanceof InputInvalid) return { issues: error.issues }
      throw error
    }
  }
}

function withBareCommas(sources: Sources): Sources {
  const query = sources.query.map(([name, raw]): Pair => [name, raw.replace(/%2C/gi, ',')])
  return { ...sources, query }
}

function isEmpty(tree: TextTree): boolean {
  return tree === '' || (Array.isArray(tree) && tree.length === 0) || (tree instanceof Map && tree.size === 0)
}

/** Which names that stand alone are fields of an exploded object: those it declares, and any where it is open. */
function ownerOf(fields: FieldSchemas | undefined, taken: ReadonlySet<string>): (name: string) => boolean {
  if (fields === undefined) return () => false
  const { declared, other, isClosed } = fields
  return (name) => declared.has(name) || (isClosed && other(name) !== false && !taken.has(name))
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

/** The default that a schema gives itself, or takes from what it refers to; a copy, which may be changed. */
export function defaultOf(schema: SchemaOrBoolean, resolve: Resolve): unknown {
  return find(schema, resolve, new Set())
}

function find(schema: SchemaOrBoolean, resolve: Resolve, seen: Set<Schema>): unknown {
  if (typeof schema === 'boolean' || seen.has(schema)) return undefined
  seen.add(schema)
  if (schema['default'] !== undefined) return structuredClone(schema['default'])
  const { $ref: reference } = schema
  const parts = [
    ...(typeof reference === 'string' ? [resolve(reference)] : []),
    ...(schemasOf(schema, 'allOf') ?? []),
  ]
  return parts.map((part) => find(part, resolve, seen)).find((value) => value !== undefined)
}
