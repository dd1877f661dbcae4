/** What a function is given: a field, or all. */
export interface Column {
  /** The field or tag; `*` for all. */
  readonly field: string
  readonly call?: string
  /** What else the function takes. */
  readonly arg?: number
  readonly alias?: string
}

/** What points have to be like. */
export type Filter =
  | { readonly kind: 'and'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'test'; readonly name: string; readonly operator: string; readonly value: Operand }

/** A text, a number, a pattern, or a time in nanoseconds since 1970. */
export type Operand = string | number | boolean | bigint | { readonly accepts: (text: string) => boolean }

/** The points that a statement is about. */
export interface Source {
  readonly database?: string
  readonly name?: string
  readonly accepts?: (text: string) => boolean
}

/** A query for points. */
export interface Select {
  readonly kind: 'select'
  readonly columns: readonly Column[]
  readonly from: readonly Source[]
  readonly where?: Filter
  /** The tags that series are by; `*` for all of them. */
  readonly by: readonly string[]
  /** How long the times are that series are divided into, in nanoseconds. */
  readonly every?: bigint
  readonly fill: 'null' | 'none' | 'previous' | number
  readonly isDescending: boolean
  readonly limit?: number
  readonly offset?: number
}

/** A query for what there is besides points. */
export interface Show {
  readonly kind: 'show'
  readonly what: string
  readonly on?: string
  readonly from: readonly Source[]
  readonly where?: Filter
  /** Which tags the values are of. */
  readonly keys?: (key: string) => boolean
  readonly limit?: number
  readonly offset?: number
}

/** Makes or drops what has a name. */
export interface Change {
  readonly kind: 'create' | 'drop'
  readonly what: string
  readonly name: string
  readonly on?: string
  readonly settings: Readonly<Record<string, string>>
}

/** Removes points. */
export interface Removal {
  readonly kind: 'remove'
  readonly from: readonly Source[]
  readonly where?: Filter
}

/** A statement of InfluxQL. */
export type Statement = Select | Show | Change | Removal

/** A text that is not InfluxQL. */
export class Malformed extends Error {
  constructor(found: string, at: number) {
    super(`error parsing query: found ${found === '' ? 'EOF' : found}, unexpected at line 1, char ${at + 1}`)
  }
}

/** A statement that is not known here. */
export class Unknown extends Error {}
