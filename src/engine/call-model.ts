/** What calls of one protocol at one path do to the objects behind it, as a recording showed it. */
export interface CallModel {
  /** The protocol's name. */
  readonly protocol: string
  /** The media type of its answers. */
  readonly contentType: string
  readonly types: Readonly<Record<string, ObjectType>>
  /** What calls do, by their names. */
  readonly calls: Readonly<Record<string, CallRule>>
  /** What is answered to calls of any other name than those that were recorded. */
  readonly unknown?: { readonly names: readonly string[]; readonly outcome: CallOutcome }
  /** What else a recording shows, where the protocol itself says what calls do. */
  readonly learned?: Readonly<Record<string, unknown>>
  /** Headers that its answers have besides. */
  readonly headers?: Readonly<Record<string, string>>
  /** What is around all results, but those that are bare. */
  readonly envelope?: Envelope
  /** Whether results leave out what is false, zero or empty, as JSON of protocol buffers does. */
  readonly omitsEmpty?: boolean
}

/** What is around every result, such as `{ header: { cluster: 'a', revision: 7 } }`. */
export interface Envelope {
  readonly members: Readonly<Record<string, unknown>>
  /** Where in it the number of changes is, as a JSON pointer. */
  readonly counter?: string
  /** What that was in the beginning. */
  readonly start: number
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
  /** An id as the server makes them: the first that it made, where that was recorded. */
  readonly exampleId?: unknown
  /** Members that are made up for each object. */
  readonly fresh?: readonly string[]
  /** Members that are numbers of the server. */
  readonly numbers?: Readonly<Record<string, ServerNumber>>
  /** Members that number the objects below each other object which a member names. */
  readonly sequences?: Readonly<Record<string, string>>
  /** Members, or by JSON pointers what is within them, that are made of others or of arguments: texts with names in braces. */
  readonly templates?: Readonly<Record<string, string>>
  /** Whether ids are bytes in base64, which order them. */
  readonly hasBytes?: boolean
  /** Whether lists are in the order of ids. */
  readonly isOrdered?: boolean
  /** Whether changes of its objects advance the counter of the model. */
  readonly isCounted?: boolean
  /** Members that count: the number of changes when it was made or changed last, or how often it was written. */
  readonly counters?: Readonly<Record<string, 'made' | 'changed' | 'writes'>>
  /** Members that say how many others there are, and the member that is the list of those. */
  readonly counts?: Readonly<Record<string, string>>
  /** Members that name an object of another type, without which it is not there either. */
  readonly within?: Readonly<Record<string, string>>
}

/** A number that the server gives: the next one to what is made or written, one that another member is or was, or a size. */
export type ServerNumber =
  | { readonly by: 'made' | 'written'; readonly first: number }
  | { readonly by: 'same' | 'before'; readonly of: string }
  /** The bytes of a text that is given. */
  | { readonly by: 'size'; readonly argument: string }

/** A member of one object that is another one, or several of them. */
export interface ObjectLink {
  readonly type: string
  /** The member that has the other's id. */
  readonly by?: string
  /** The others' member that has the object's id, or several ids of which it is one. */
  readonly from?: string
  /** The others' member that is given in place of their ids; what none of them has is made. */
  readonly named?: string
  /** Whether only their ids are there. */
  readonly isIds?: boolean
  /** The ids of objects that have some which were never shown. */
  readonly unseen?: readonly string[]
  /** How a list of them is shown, where that is more than a list or depends on arguments. */
  readonly shown?: CallRule
}

/** What a call does. */
export interface CallRule {
  /**
   * `put` creates or replaces, `join` and `part` have to do with two objects, `say` answers the same whatever there is,
   * `choose` makes other calls on a condition.
   */
  readonly does: 'read' | 'list' | 'create' | 'change' | 'remove' | 'put' | 'join' | 'part' | 'say' | 'choose'
  /** Empty where it is about none. */
  readonly type: string
  /** Other types of which the object may be. */
  readonly orTypes?: readonly string[]
  /** Where the result has other objects, by JSON pointers: their types, and the members of the object with their ids. */
  readonly also?: Readonly<Record<string, { readonly type: string; readonly by: string }>>
  /** A result, around the object or the list in it. */
  readonly result: unknown
  /** Where in the result that is, as a JSON pointer; absent where it is not in it. */
  readonly at?: string
  /** What it makes of members, whatever its arguments are. */
  readonly sets?: Readonly<Record<string, unknown>>
  /** Numbers of the object that it adds to: always as much, or an argument; and where the result has them, by JSON pointers. */
  readonly steps?: Readonly<
    Record<string, { readonly by: number } | { readonly argument: string; readonly sign: 1 | -1 }>
  >
  readonly stepped?: Readonly<Record<string, string>>
  /** What is answered where it would take more from a number of the object, an argument, than that is. */
  readonly short?: { readonly member: string; readonly argument: string; readonly outcome: CallOutcome }
  /** What is answered where a member of the object is empty, zero or false, or where it is not. */
  readonly barred?: { readonly member: string; readonly isEmpty: boolean; readonly outcome: CallOutcome }
  /** The argument with the id of another object of the type, whose numbers it adds to, too. */
  readonly second?: Required<Pick<CallRule, 'id' | 'steps' | 'stepped'>>
  /** Where the result has the next of the numbers that the server gives what is done, as JSON pointers, and the first of them. */
  readonly issued?: Readonly<Record<string, number>>
  /** What arguments must be where they are given, and what is answered where they are not. */
  readonly bounds?: readonly CallBounds[]
  /** What is answered where all that it sets is so already. */
  readonly already?: CallOutcome
  /** The objects that name one which is to be removed, by a member, and what is answered where there are some. */
  readonly held?: { readonly type: string; readonly member: string; readonly outcome: CallOutcome }
  /** Members that repeat an argument of another name, or of none but its place. */
  readonly copies?: Readonly<Record<string, string>>
  /** Members that an argument is added to, a number, a text or a list, and what they are before there is any. */
  readonly adds?: Readonly<Record<string, { readonly argument: string; readonly empty: unknown }>>
  /** Members that are lists an argument is taken out of. */
  readonly drops?: Readonly<Record<string, string>>
  /** Where the result repeats arguments, as JSON pointers; those within a text stand there in braces. */
  readonly echoes?: Readonly<Record<string, string>>
  /** Arguments with ids of objects that must be there. */
  readonly needs?: readonly CallNeed[]
  /** The arguments with the ids of the objects that are joined or parted, by their types. */
  readonly ends?: Readonly<Record<string, string>>
  /** Where the result has those that are joined with the object which an argument names, by JSON pointers. */
  readonly joined?: Readonly<Record<string, CallJoined>>
  /** The id of the object that it is always about. */
  readonly only?: unknown
  /** The member that the result has in place of the object. */
  readonly member?: string
  /** Whether the result has the length of that member. */
  readonly isSize?: boolean
  /** A member that is the seconds which are left of those the object was made with. */
  readonly remaining?: string
  /** The argument with the names of the members that are shown; absent for all. */
  readonly fields?: string
  /** Members that are shown only if an argument of that name is true. */
  readonly asks?: readonly string[]
  /** Whether what it makes has all that objects of its type usually have, which it does not show. */
  readonly isWhole?: boolean
  /** Whether there is only the object's id. */
  readonly isId?: boolean
  /** The argument with the id, by names and dots. */
  readonly id?: string
  /** The member that `id` is compared with, in place of the id: no two objects have the same. */
  readonly by?: string
  /** The members that the result shows of an object; absent for all. */
  readonly shows?: readonly string[]
  /** The text around a result, with `{result}` in its place, and the names of its parts with their prefixes, in XML. */
  readonly frame?: CallFrame
  /** What is answered where there is no object with the id. */
  readonly missing?: CallOutcome
  /** Where what is to be made has the same member as one that is there: a result, and where that is in it. */
  readonly again?: { readonly member: string; readonly result: unknown; readonly at: string }
  /** What is answered where there is one that has the same member as what is to be made. */
  readonly conflict?: CallConflict
  readonly list?: ListRule
  /** Where a result that is always the same says how many objects of a type there are, by JSON pointers. */
  readonly counts?: Readonly<Record<string, CountedType>>
  /** The argument that ends a range of ids, which `id` begins; it is not in the range. */
  readonly until?: string
  /** Where in the result the number of objects is that were removed, as a JSON pointer. */
  readonly touched?: string
  /** Where in the result objects are as they were before, and the argument that asks for them. */
  readonly before?: { readonly at: string; readonly by?: string; readonly isList?: boolean }
  /** Whether its result has no envelope. */
  readonly isBare?: boolean
  /** Arguments that must have a value, such as a token, and what is answered where they have another. */
  readonly expected?: Readonly<Record<string, { readonly value: unknown; readonly outcome: CallOutcome }>>
  /** Arguments that must have one of some words where they are given, and what is answered where they have another. */
  readonly allowed?: Readonly<
    Record<string, { readonly values: readonly string[]; readonly outcome: CallOutcome }>
  >
  /** What a `put` says by what was there before: which members are shown, and which of them it sets. */
  readonly said?: Readonly<Partial<Record<PutKind, CallSaying>>>
  /** Arguments with which a result is something else that nothing says. */
  readonly leaves?: readonly string[]
  /** The argument with another id that the object gets. */
  readonly renames?: string
  /** What is answered without an argument that must be there, by its name. */
  readonly refused?: Readonly<Record<string, CallOutcome>>
  readonly choice?: ChoiceRule
}

/** What a `put` comes to: an object that was not there, another one than was there, or the same. */
export type PutKind = 'made' | 'changed' | 'same'

/** The members that a result shows, and those that always are the same in it. */
export interface CallSaying {
  readonly shows: readonly string[]
  readonly sets?: Readonly<Record<string, unknown>>
}

/** An argument with the id of an object, and what is answered where that is not there. */
export interface CallNeed {
  readonly argument: string
  readonly type: string
  readonly outcome: CallOutcome
}

/** Objects of a type that are joined with one of another type. */
export interface CallJoined {
  /** The type of what joins them. */
  readonly by: string
  readonly type: string
  readonly owner: string
  readonly argument: string
  readonly shows: readonly string[]
}

/** The objects of a type, and how many more there are that are never shown. */
export interface CountedType {
  readonly type: string
  readonly unseen?: number
}

/** What a number may be, or a text. */
export interface CallBounds {
  readonly argument: string
  /** Of a text, how long it may be. */
  readonly least?: number
  readonly most?: number
  /** Whether it has to be above the least. */
  readonly isAbove?: boolean
  /** The format that a text has. */
  readonly format?: string
  /** A character that a text has. */
  readonly sign?: string
  readonly outcome: CallOutcome
}

/** That no two objects have the same. */
export interface CallConflict {
  readonly member: string
  readonly outcome: CallOutcome
  /** Another member that has to be the same, too. */
  readonly beside?: string
  /** The argument that allows it where it is true. */
  readonly unless?: string
  /** The argument without which it is allowed. */
  readonly only?: string
}

/** Calls within a call, of which one or another list is made. */
export interface ChoiceRule {
  /** The arguments with the conditions, with the calls if all of them hold, and with those if not. */
  readonly conditions: string
  readonly then: string
  readonly otherwise: string
  /** Where the result says which it was, as a JSON pointer. */
  readonly holds?: string
  /** Where it has their results, as a JSON pointer. */
  readonly results: string
  /** By the member that has the arguments of a call: its name, and the member with its result. */
  readonly calls: Readonly<Record<string, { readonly call: string; readonly result: string }>>
  /** What is around the result of each, with the counter at the place it has in other results. */
  readonly envelope?: Readonly<Record<string, unknown>>
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
  /** Headers of the answer, where they say something of it. */
  readonly headers?: Readonly<Record<string, string>>
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
  /** The argument with conditions on members, such as `{ price: { gt: 5 } }`. */
  readonly where?: string
  /** The argument with members and directions, such as `[{ price: 'desc' }]`. */
  readonly orderBy?: string
  readonly sort?: string
  readonly order?: string
  readonly limit?: string
  readonly offset?: string
  readonly page?: string
  /** The number of the first page. */
  readonly first?: number
  /** The argument with a token for the next page, and where results have that; it is left out or this at the end. */
  readonly cursor?: CallCursor
  /** What is around each item, where something is. */
  readonly edge?: CallEdge
  /** Where else in the result the items are, with nothing around them, as JSON pointers. */
  readonly plain?: readonly string[]
  /** Where the result says that there are others before, as a JSON pointer. */
  readonly previous?: string
  /** The argument with the id that a page comes after. */
  readonly after?: string
  /** Whether there are only the ids of objects. */
  readonly isOfIds?: boolean
  /** Whether what was made last comes first. */
  readonly isNewestFirst?: boolean
  /** The arguments between which ids are: from the first, and before the second; without that, the first alone. */
  readonly range?: { readonly from: string; readonly to: string }
  /** The argument with the ids that are wanted. */
  readonly ids?: string
  /** Another member of objects that it may have in place of their ids. */
  readonly alsoIds?: string
  /** Arguments with several values of a member, by their names. */
  readonly among?: Readonly<Record<string, string>>
  /** What is shown for each of those ids that no object has, with `{id}` for it. */
  readonly absent?: unknown
  /** The argument with the members that are shown. */
  readonly fields?: string
  /** Where the result says that there are more, as a JSON pointer. */
  readonly more?: string
  /** The argument that asks for the number of objects alone. */
  readonly countOnly?: string
  /** Arguments that leave out members of objects. */
  readonly hides?: Readonly<Record<string, readonly string[]>>
  /** The argument that asks for what there was at a count of changes. */
  readonly asOf?: string
}

/** Tokens for pages. */
export interface CallCursor {
  readonly argument: string
  /** Where results have the token for what comes after, as a JSON pointer; absent where only items have some. */
  readonly at?: string
  /** Whether it is the id of the object that comes next. */
  readonly isNext?: boolean
  /** What is left out with it at the end, as a JSON pointer. */
  readonly around?: string
  /** Where they have that of the first item. */
  readonly start?: string
  readonly end?: unknown
  /** How tokens are made, and are there for the last page, too. */
  readonly form?: CursorForm
}

/** How tokens are made of the place of an item in its list, or of its id. */
export interface CursorForm {
  readonly by: 'place' | 'id'
  readonly prefix: string
  readonly suffix: string
  /** The number of the first place. */
  readonly base: number
  readonly isBase64?: boolean
}

/** What is around an item of a list, such as `{ cursor, node }`. */
export interface CallEdge {
  readonly result: unknown
  /** Where in it the item is, as a JSON pointer. */
  readonly at: string
  /** Where the item's token is. */
  readonly cursor?: string
}

/** An argument that objects of a list have as a member, or compare with. */
export interface ListFilter {
  readonly argument: string
  readonly member: string
  /** Where that is a list of objects, their member, which one of them must have so. */
  readonly of?: string
  readonly by: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'prefix'
}
