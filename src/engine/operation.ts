import type { Schema } from './schema/schema.ts'

/**
 * What an API description says of a route beyond its options (OpenAPI 3.1, Operation Object).
 * Models are getters: a schema is made when it is first needed, so that a large description costs only what is used.
 */
export interface Operation {
  /** Where the description says it, for messages: file, line and JSON pointer. */
  readonly place: string
  /** The path of its server, which its route's path begins with. */
  readonly basePath?: string
  /** The paths of the other servers that it is described for. */
  readonly otherBasePaths?: readonly string[]
  /** The schemes and hosts of its servers, such as `https://api.example.com`. */
  readonly origins?: readonly string[]
  /** Since when it should no longer be used, and when it will be gone; absent where nothing says that it should not. */
  readonly deprecated?: Deprecation | undefined
  /** What it does, in words. */
  readonly description?: string | undefined
  readonly parameters: readonly Parameter[]
  readonly body?: RequestBody | undefined
  /** In the description's order. */
  readonly responses: readonly ResponseRule[]
  /** Alternatives, of which one must be met whole; none means that the route is open. */
  readonly security: readonly SecurityRequirement[]
  /** Whether the operation reads and changes stored items; where it does not say, the app does. */
  readonly stateful?: boolean | undefined
}

/** Moments in seconds since 1970. */
export interface Deprecation {
  readonly since: number
  readonly sunset?: number | undefined
}

/** One named value of a request's path, query, headers or cookies, and how it is written there. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly style: 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  /** Whether an empty text stands for no value. */
  readonly allowEmptyValue?: boolean
  /** The media type of a parameter whose value is a document of its own, such as `application/json`. */
  readonly mediaType?: string | undefined
  readonly model: Schema
  /** The values that its description shows, beside those of the model. */
  readonly examples?: readonly Example[]
}

/** The body a request may or must have. */
export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

/** Bodies by media type or range, in the description's order. */
export type Content = ReadonlyMap<string, MediaType>

/** One form of a body. */
export interface MediaType {
  /** Absent where the description gives no schema. */
  readonly model: Schema | undefined
  /** In order; `example`, and examples of the schema, are called `default`. */
  readonly examples: readonly Example[]
  /** How the fields of a form or multipart body are written. */
  readonly encoding?: Readonly<Record<string, Encoding>> | undefined
}

/** How one field of a form or multipart body is written. */
export interface Encoding {
  readonly contentType?: string | undefined
  readonly style?: Parameter['style'] | undefined
  readonly explode?: boolean | undefined
}

/** A body or header value that the description gives. */
export interface Example {
  readonly name: string
  readonly value: unknown
}

/** What a status, a class of statuses, or every other status answers. */
export interface ResponseRule {
  readonly status: number | '1XX' | '2XX' | '3XX' | '4XX' | '5XX' | 'default'
  readonly content: Content
  readonly headers: readonly ResponseHeader[]
  /** What a description says of it in words. */
  readonly description?: string | undefined
}

/** A header of a response. */
export interface ResponseHeader {
  readonly name: string
  readonly required: boolean
  readonly model: Schema
  readonly examples: readonly Example[]
}

/** Credentials that are required together. */
export type SecurityRequirement = readonly SecurityScheme[]

/** Where a credential is looked for. OAuth 2 and OpenID Connect tokens are bearer tokens. */
export type SecurityScheme =
  | {
      readonly name: string
      readonly kind: 'bearer' | 'basic'
      /** The scopes that the operation asks for. */
      readonly scopes?: readonly string[]
    }
  | {
      readonly name: string
      readonly kind: 'apiKey'
      readonly in: 'header' | 'query' | 'cookie'
      readonly field: string
    }
