import type { RouteDefinition } from '../../engine/route.ts'
import { flatten } from '../../engine/schema/merge.ts'
import {
  isObject,
  propertiesOf,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { createScope, type Scope } from './scope.ts'

/** A field of an input model. */
export interface InputField {
  /** As the model has it. */
  readonly schema: SchemaOrBoolean
  /** With its references and `allOf` folded in. */
  readonly flat: Schema
  /** Whether a request without it is refused: a default takes the place of what is absent. */
  readonly required: boolean
}

/** What a route reads from its requests. */
export interface InputModel {
  readonly model: Schema
  /** The model with its references and `allOf` folded in. */
  readonly flat: Schema
  readonly scope: Scope
  /** All fields that the model names, those of a union's members among them. */
  readonly fields: ReadonlyMap<string, InputField>
  /** Names of the fields that every request may have: of these the path's parameters are part. */
  readonly declared: ReadonlySet<string>
}

/** The input model of a route, if it has one. */
export function inputModelOf({ options: { input } }: RouteDefinition): InputModel | undefined {
  if (input === undefined) return undefined
  const scope = createScope(input)
  const resolve = (reference: string): Schema => scope.find(reference).schema
  const flatPart = (part: SchemaOrBoolean): Schema =>
    typeof part === 'boolean' ? {} : flatten(part, resolve)
  const flat = flatPart(input)
  const members = membersOf(flat).map(flatPart)
  const isRequired = (name: string): boolean => {
    return requires(flat, name) || (members.length > 0 && members.every((member) => requires(member, name)))
  }

  const fields = new Map<string, InputField>()
  for (const [name, schema] of [flat, ...members].flatMap(propertiesOf)) {
    if (fields.has(name)) continue
    const hasDefault = isObject(schema) && schema['default'] !== undefined
    fields.set(name, { schema, flat: flatPart(schema), required: isRequired(name) && !hasDefault })
  }
  const declared = new Set(propertiesOf(flat).map(([name]) => name))
  return { model: input, flat, scope, fields, declared }
}

/** Whether a field takes several values; a nullable list does too. */
export function isList(field: InputField): boolean {
  return [field.flat, ...membersOf(field.flat)].some(
    (each) => isObject(each) && typesOf(each).includes('array'),
  )
}

function membersOf(schema: Schema): SchemaOrBoolean[] {
  return [schema['anyOf'], schema['oneOf']].flatMap((each) =>
    Array.isArray(each) ? (each as SchemaOrBoolean[]) : [],
  )
}

function requires(schema: Schema, name: string): boolean {
  return Array.isArray(schema['required']) && schema['required'].includes(name)
}

/** Whether some request of a route is refused with 422: a body may be no JSON, a query may not fit its model. */
export function refusesInput(
  { method, parameters }: RouteDefinition,
  input: InputModel | undefined,
): boolean {
  if (method !== 'GET') return true
  if (input === undefined) return false
  const needsMore = [...input.fields].some(([name, { required }]) => required && !parameters.includes(name))
  const hasOtherRules = Object.keys(input.flat).some((keyword) => !isHarmless(keyword, OPEN))
  const { additionalProperties = true } = input.flat
  return (
    needsMore ||
    hasOtherRules ||
    additionalProperties !== true ||
    [...input.fields.values()].some(({ schema }) => !takesAnyText(schema))
  )
}

function takesAnyText(schema: SchemaOrBoolean): boolean {
  if (!isObject(schema)) return schema
  return (
    Object.keys(schema).every((keyword) => isHarmless(keyword, PLAIN)) &&
    (schema['type'] ?? 'string') === 'string'
  )
}

function isHarmless(keyword: string, allowed: ReadonlySet<string>): boolean {
  return allowed.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
}

const ANNOTATIONS: ReadonlySet<keyof Schema> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$id', '$anchor', '$schema', '$comment', '$defs', 'definitions', 'components'],
])
const PLAIN: ReadonlySet<string> = new Set(['type'])
const OPEN: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])
