import type { Method } from '../../engine/route.ts'
import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'

/** An OpenAPI 3.1 document, as far as declared routes need one. */
export interface OpenApiDocument {
  readonly openapi: `3.1.${string}` | `3.2.${string}`
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, { readonly type: 'http'; readonly scheme: 'bearer' }>>
  }
}

/** The methods that a path item has a field for (OpenAPI 3.2; before, all but `query`). */
const FIELDS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

type FieldMethod = (typeof FIELDS)[number]

/** The operations of one path. Those of other methods, such as PROPFIND, stand under `additionalOperations` (OpenAPI 3.2). */
export type PathItem = Readonly<Partial<Record<FieldMethod, Operation>>> & {
  readonly additionalOperations?: Readonly<Record<string, Operation>>
}

/** Where in a path item the operation of a method is. */
export function placeOfMethod(method: Method): readonly string[] {
  const field = method.toLowerCase()
  return (FIELDS as readonly string[]).includes(field) ? [field] : ['additionalOperations', method]
}

/** The operations of a path item, by method in capitals. */
export function operationsIn({ additionalOperations = {}, ...fields }: PathItem): [Method, Operation][] {
  const known = FIELDS.flatMap((field): [string, Operation][] => {
    const operation = fields[field]
    return operation === undefined ? [] : [[field.toUpperCase(), operation]]
  })
  return [...known, ...Object.entries(additionalOperations)] as [Method, Operation][]
}

/** A path item with the operation of one more method. */
export function withOperation(item: PathItem, method: Method, operation: Operation): PathItem {
  const [field = '', other] = placeOfMethod(method)
  if (other === undefined) return { ...item, [field]: operation }
  return { ...item, additionalOperations: { ...item.additionalOperations, [other]: operation } }
}

/** One method of one path. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** Where the operation is, if not where the others are. */
  readonly servers?: readonly Server[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-sim-options'?: Readonly<Record<string, unknown>>
}

/** A base URL. */
export interface Server {
  readonly url: string
  readonly variables?: Readonly<Record<string, { readonly default: string }>>
}

/** A field of the path or of the query. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly deprecated?: boolean
  readonly style?: 'form'
  readonly explode?: boolean
  readonly schema: SchemaOrBoolean
}

/** The body a request may or must have. */
export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content: Content
}

/** What a status means. */
export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

/** A response header. */
export interface Header {
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, MediaType>>

/** One body: its schema, and an example or several. */
export interface MediaType {
  readonly schema?: SchemaOrBoolean
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

/** The media type of every body of a declared route. */
export const JSON_TYPE = 'application/json'
