/** What calls of one protocol at one path do to the objects behind it, as a recording showed it. */
export interface CallModel {
  /** The protocol's name. */
  readonly protocol: string
  /** The media type of its answers. */
  readonly contentType: string
  readonly types: Readonly<Record<string, ObjectType>>
  /** What calls do, by their names. */
  readonly calls: Readonly<Record<string, CallRule>>
  /** What else a recording shows, where the protocol itself says what calls do. */
  readonly learned?: Readonly<Record<string, unknown>>
}

/** Objects that are called for by an id. */
export interface ObjectType {
  /** The member that has the id. */
  readonly id: string
  /** Those that were there from the beginning, in their order. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
  /** Members that are objects of another type, or lists of them. */
  readonly links: Readonly<Record<string, ObjectLink>>
  /** What members are that nothing gives. */
  readonly defaults: Readonly<Record<string, unknown>>
}

/** A member of one object that is another one, or several of them. */
export interface ObjectLink {
  readonly type: string
  /** The member that has the other's id. */
  readonly by?: string
  /** The others' member that has the object's id, of which there may be many. */
  readonly from?: string
}

/** What a call does. */
export interface CallRule {
  readonly does: 'read' | 'list' | 'create' | 'change' | 'remove'
  readonly type: string
  /** A result, around the object or the list in it. */
  readonly result: unknown
  /** Where in the result that is, as a JSON pointer; absent where it is not in it. */
  readonly at?: string
  /** What it makes of members, whatever its arguments are. */
  readonly sets?: Readonly<Record<string, unknown>>
  /** Whether there is only the object's id. */
  readonly isId?: boolean
  /** The argument with the id, by names and dots. */
  readonly id?: string
  /** The members that the result shows of an object; absent for all. */
  readonly shows?: readonly string[]
  /** The text around a result, with `{result}` in its place, and the names of its parts with their prefixes, in XML. */
  readonly frame?: CallFrame
  /** What is answered where there is no object with the id. */
  readonly missing?: CallOutcome
  readonly list?: ListRule
}

/** How results are written in XML. */
export interface CallFrame {
  readonly text: string
  /** By names without prefixes. */
  readonly names: Readonly<Record<string, string>>
}

/** What a call comes to. */
export interface CallOutcome {
  readonly value?: unknown
  /** What the protocol says of a failure, and with which status. */
  readonly error?: unknown
  readonly status?: number
  readonly frame?: CallFrame | undefined
  /** Why it failed, apart from how that is said: a text with `{…}` for values, and these. */
  readonly reason?: { readonly template: string; readonly values: Readonly<Record<string, string>> }
}

/** The arguments by which a list is made, by names and dots. */
export interface ListRule {
  /** Where in the result the number of all is, as a JSON pointer. */
  readonly total?: string
  /** Whether that counts what filters leave out, too. */
  readonly countsAll?: boolean
  readonly filter: readonly ListFilter[]
  readonly search?: string
  readonly sort?: string
  readonly order?: string
  readonly limit?: string
  readonly offset?: string
  readonly page?: string
  /** The number of the first page. */
  readonly first?: number
}

/** An argument that objects of a list have as a member, or compare with. */
export interface ListFilter {
  readonly argument: string
  readonly member: string
  readonly by: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in'
}
