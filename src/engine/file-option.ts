/** What a request does with stored files. */
export const FILE_ACTIONS = [
  'put',
  'get',
  'delete',
  'list',
  'begin',
  'append',
  'part',
  'status',
  'parts',
  'complete',
  'abort',
  'make',
  'copy',
  'move',
  'properties',
  'change',
  'report',
  'lock',
  'unlock',
] as const

export type FileAction = (typeof FILE_ACTIONS)[number]

/** What a request may come to. */
export const FILE_OUTCOMES = [
  'done',
  'replaced',
  'copied',
  'missing',
  'orphan',
  'exists',
  'full',
  'mismatch',
  'unsupported',
  'unacceptable',
  'malformed',
  'precondition',
  'range',
  'folder',
  'slash',
  'locked',
] as const

export type FileOutcome = (typeof FILE_OUTCOMES)[number]

/** Where a file is, as templates of the request: the path of what it is in, and its name there. */
export interface FilePlace {
  readonly in?: string
  readonly key?: string
}

/** What is repeated in an answer, or left out of it. */
export interface RepeatedText {
  /** The fact that it is for: a list has it once for each item, a value that is there once, any other not at all. */
  readonly of: string
  readonly text: string
  readonly separator?: string
  /** The name of what it comes after, with the separator between them where both are there. */
  readonly follows?: string
}

/** An answer whose texts have facts in braces: `"{md5}"`. */
export interface FileAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
  readonly text?: string
  /** By the names that they have in the text. */
  readonly each?: Readonly<Record<string, RepeatedText>>
}

/** Two texts that must be the same where the first is given. */
export interface FileCheck {
  readonly given: string
  readonly is: string
  /** Default: `mismatch`. */
  readonly outcome?: FileOutcome
}

/** Query fields, or texts, that say which files a list has. */
export interface FileList {
  readonly prefix?: string
  readonly delimiter?: string
  readonly max?: string
  /** The first of these that a request has. */
  readonly after?: readonly string[]
  /** The beginning of names that are left out. */
  readonly omit?: string
}

/** A tree of files and collections, of which requests see and set properties (RFC 4918). */
export interface FileTree {
  /** What is there from the start, each a path within the tree; `*` is any segment, and a slash at the end is for collections. */
  readonly exists?: readonly string[]
  /** What MKCOL makes, unless its body says so. Default: `collection`. */
  readonly kind?: string
  /**
   * What properties are, as templates of XML: by `{namespace}name`, and by what they are of. That is the path of what
   * exists, the kind of a collection, `*.ics` for files by their ending, or `*` for files; `null` where it has none.
   */
  readonly properties?: Readonly<Record<string, Readonly<Record<string, string | null>>>>
  /** The properties that are given where none is named. */
  readonly all?: readonly string[]
  /** Prefixes by their namespaces. */
  readonly prefixes?: Readonly<Record<string, string>>
  /** What stands before paths in answers, such as `http://example.com`. */
  readonly base?: string
  /** Whether properties that are not there are left out, rather than listed with 404. */
  readonly omits?: boolean
  /** How deep a request goes that does not say so. Default: `infinity`. */
  readonly depth?: string
  /** Whether calendars and cards must be what they are called. */
  readonly checks?: boolean
  /** Whether collections are at paths with a slash at the end alone; others are led there. */
  readonly slash?: boolean
  /** Whether what is locked is changed only by who names a lock. */
  readonly locks?: boolean
  /** Whether the collections that a file lacks are made with it. */
  readonly parents?: boolean
  /** The root element of what MKCOL answers of the properties that were set. */
  readonly response?: string
  /** Statuses of properties that clients cannot set. */
  readonly refuses?: Readonly<Record<string, number>>
}

/** How a route stores files, or answers from them. Texts are templates with facts in braces. */
export interface FileOptions extends FilePlace {
  readonly action: FileAction
  /** Where an upload in parts is. Default: it is the file itself. */
  readonly upload?: FilePlace
  /** Whether a part begins its upload where there is none. */
  readonly begins?: boolean
  /** The form of the ids of uploads, as a JSON Schema. Default: UUIDs. */
  readonly id?: Readonly<Record<string, unknown>>
  /** The path of a file that must be there, such as the bucket. */
  readonly needs?: string
  /** What of that is there from the start, as paths. */
  readonly exists?: readonly string[]
  /** Request headers that are kept and given with the file; `*` stands for any letters. */
  readonly keeps?: readonly string[]
  /** The media type of a file that was sent without one; or by the ending of its name. */
  readonly types?: Readonly<Record<string, string>>
  /** The media type of a file, before what was sent. */
  readonly type?: string
  readonly etag?: string
  /** The path of a file that is copied. */
  readonly from?: string
  /** Where these are the same, a copy has headers and type of its own request alone. */
  readonly renews?: FileCheck
  /** The beginning of names of query fields that give the answer a header, such as `response-`. */
  readonly overrides?: string
  /** Where the file is besides; the path is its own by default. */
  readonly also?: readonly FilePlace[]
  readonly verify?: readonly FileCheck[]
  /**
   * The stored item that a file belongs to, by its path, which comes to `orphan` where it is not there; and what that has
   * once the file is stored, such as `{ state: 'ready', size: '{size}' }`.
   */
  readonly item?: { readonly at: string; readonly sets?: Readonly<Record<string, unknown>> } | undefined
  /** Whether a file that is there may be replaced. Default: yes. */
  readonly replaces?: boolean
  /** The path of a collection that must be empty for it to be deleted. */
  readonly empty?: string
  /** The XML element, by its path, whose texts name the files to delete. */
  readonly keys?: string
  readonly list?: FileList
  /** That files are in a tree of collections, their names being paths. */
  readonly tree?: FileTree
  /** Request headers that make no difference, such as `range`. */
  readonly ignores?: readonly string[]
  readonly outcomes?: Readonly<Partial<Record<FileOutcome, FileAnswer>>>
}
