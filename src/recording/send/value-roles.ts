import { singular } from '../inference/names.ts'

/** Members that wrap what an answer is about, and say nothing of it themselves. */
const WRAPPERS =
  /^(data|items?|results?|params|payload|body|response|values?|variables|input|attributes|rows?|docs?|documents?|nodes?|edges|entries|entry|hits|objects?|list|content|records?|resources?|output)$/i
/** Names that are an id of whatever has them. */
const OWN_ID = /^_*(id|ids|uid|uuid|guid|key|pk|ref|slug|handle|code|sku|no|number)$/i
/** An id of something that the name says: `userId`, `user_id`, `user-ids`. */
const OTHER_ID =
  /^(.+?)(?:(?<!.[_-])[_-]+(?:id|uid|uuid|guid|key|ref|slug|handle|code|no|number)|(?:Id|ID|Uid|Uuid|UUID|Key|Ref|Slug|Number))s?$/
/** Names of values that a server gives out for clients to give back. */
const GIVEN_BACK =
  /(^|[_.-])(rev|revision|version|e?tag|token|cursor|next|after|marker|seq|sequence|since|nonce|csrf|xsrf|state|upload|ticket|lease|lock|generation)$|(Rev|Revision|Version|Tag|Token|Cursor|Marker|Sequence|Nonce)$/i
/** What comes before a name in the paths of calls, such as `createUser` and `get_user`. */
const VERB =
  /^(create|get|list|update|delete|add|remove|fetch|find|new|set|put|patch|read|insert|upsert|describe)[_-]?(?=.)/i

/** Where values stand: under which name, and what the part of the message is about. */
export interface ValuePlace {
  readonly name: string
  /** The nearest name above that says what it is, such as `user`; that of the path where there is none. */
  readonly owner: string
  /** The path of the request, the same for all calls of an API that has one address; empty within a path. */
  readonly endpoint: string
}

/**
 * What a short value is an id of, so that `7` of a user is not taken for `7` of an order; empty where its name does not
 * say that it is an id or is given back. The narrowest role is first.
 */
export function rolesOf({ name, owner, endpoint }: ValuePlace): readonly string[] {
  const [, other] = OTHER_ID.exec(name) ?? []
  const at = (role: string): readonly string[] => (endpoint === '' ? [] : [`${endpoint} ${role}`])
  if (OWN_ID.test(name)) return [`id of ${kindOf(owner)}`, ...at('id')]
  if (other !== undefined) return [`id of ${kindOf(other)}`, ...at(`${kindOf(other)} id`)]
  return GIVEN_BACK.test(name) ? [`${kindOf(owner)} ${name.toLowerCase()}`, ...at(name)] : []
}

/** What the members of an object are about, by the name it has. */
export function ownerBelow(owner: string, name: string): string {
  return name === '' || WRAPPERS.test(name) ? owner : name
}

/** What a path is about: its last segment that is a word. */
export function ownerOfPath(segments: readonly string[]): string {
  return segments.findLast((segment) => /^[A-Za-z][A-Za-z_-]*$/.test(segment)) ?? ''
}

function kindOf(name: string): string {
  return singular(name.replace(VERB, '')).replaceAll('_', '')
}

/** Longest text that is looked at as one value. */
export const MAX_LENGTH = 4096

/** Whether a text is so particular that, where it is repeated, it is the same thing: not `1`, `true` or a word. */
export function isParticular(text: string): boolean {
  if (text.length < 7 || text.length > MAX_LENGTH) return false
  if (/\s/.test(text)) return /\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
  if (/^-?[\d.]+$/.test(text)) return /^-?\d{7,}$/.test(text)
  return text.length >= 16 || /\d/.test(text)
}
