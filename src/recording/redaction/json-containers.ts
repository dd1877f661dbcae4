import type { Cells } from './json-columns.ts'
import type { Dictionary } from './json-dictionary.ts'
import { saysOfSecret } from './json-descriptions.ts'
import { kindOfToken, type Pair, type Range } from './json-pairs.ts'
import type { NameKind } from './names.ts'
import { JWK_TYPE, OF_QUESTIONS, PAIR_VALUE, type Secrets } from './secrets.ts'

/** An object or list of JSON that is being read, and what is known of its secrets. */
export interface Container extends Cells, Pair, Dictionary {
  member: string
  awaitsName: boolean
  /** The member that is being read is a secret. */
  memberIsSecret: boolean
  /** What the name of the container says of the texts that are directly in it. */
  readonly kind: NameKind
  /** The same of what an object calls its value. */
  readonly valueKind: NameKind
  /** How the objects begin that it has under names that are of no secret, and how many do. */
  first?: string
  entries?: number
  readonly isListed: boolean
  /** It is one of several that are alike, which are found by their names. */
  readonly isEntry: boolean
  /** It is a key (RFC 7517). */
  isKey?: boolean
  /** What is private of it, if it is one. */
  privates?: Range[]
  /** It has a question for those who forgot a password. */
  asks?: boolean
  /** Of a list, the text before, quotes included. */
  before?: string
}

/** What has members named after packages, paths or fields that are described. */
const NAMED_AFTER = /(?:dependencies|dependenciesmeta|resolutions|overrides|exports|imports|dist-tags)"$/i
/** Signatures of packages, which anyone may check: they stand in a list, each beside the key's id. */
/** What compilers note of a file under its path. */
const OF_FILE = /^"[^"]*\/[^"/]*\.[a-z]{1,5}"$/
const OF_SIGNATURES = /^"(?:sig|signature)"$/i
/** The answer to a question for those who forgot a password. */
const IS_ANSWER = /^"(?:answer|response)"$/i
/** Members that say of a secret what it is called, or since when it is. */
const DESCRIBES = /(?:id|name|type|at|on|date|time|ur[il]|arn|label|status|kind)"$/i

const FIRST_MEMBER = /\{\s{0,200}"([A-Za-z_][\w-]{0,60})"/y
const MIN_ENTRIES = 5
const IN_NAMESPACES = /^"\w{1,80}\.\w{1,80}\.\w/
/** What has a secret under its name rather than says of it. */
const HOLDS =
  /^"?(?:value|default|current|old|new|raw|plain(?:text)?|text|code|pin|data|content|string|secret|hash|salt|encrypted|cipher(?:text)?)"?$/i

/**
 * Whether the object that begins here is one of many in a dictionary, whose names are data: as many before it, under
 * names of no secret, begin with the same member, or its name is one of a hierarchy.
 */
export function isEntryOf(container: Container | undefined, text: string, at: number): boolean {
  if (container?.isObject !== true || container.isSecret) return false
  FIRST_MEMBER.lastIndex = at
  const [, first = ''] = FIRST_MEMBER.exec(text) ?? []
  if (container.memberIsSecret) {
    const isAlike = first === container.first && (container.entries ?? 0) >= MIN_ENTRIES
    return first !== '' && (isAlike || IN_NAMESPACES.test(container.member)) && !HOLDS.test(first)
  }
  if (first === '') return false
  container.entries = first === container.first ? (container.entries ?? 0) + 1 : 1
  container.first = first
  return false
}

/** What an object or list is that begins in another one. */
export function containerOf(
  isObject: boolean,
  isSecret: boolean,
  outer: Container | undefined,
  start: number,
  isEntry: boolean,
): Container {
  // Of `secrets: { db: '…' }` and `keys: ['…']`, but not of objects that describe a key.
  const of = isEntry ? 'secrets' : (outer?.memberKind ?? 'harmless')
  const kind = !isObject || of === 'secrets' ? of : 'harmless'
  const isListed = isObject && outer?.isObject === false
  return {
    isObject,
    isSecret,
    isEntry,
    isListed,
    awaitsName: isObject,
    member: '',
    memberIsSecret: isSecret,
    memberKind: isObject ? 'harmless' : kind,
    kind: isListed ? 'harmless' : kind,
    valueKind: kind,
    isRow: !isObject && outer?.isObject === false,
    column: 0,
    start,
    members: 0,
    hidden: [],
    of: outer === undefined ? '' : outer.isObject ? outer.member : outer.of,
  }
}

/** The object goes on with the member of this name, quotes included. */
export function beginMember(container: Container, member: string, secrets: Secrets): void {
  container.awaitsName = false
  container.members++
  container.member = member
  const kind = kindOfMember(container, secrets)
  container.memberIsSecret =
    kind === 'secret' ||
    (container.isSecret && !saysOfSecret(container)) ||
    (container.isEntry && HOLDS.test(member))
  const around = PAIR_VALUE.test(member) ? container.valueKind : container.kind
  container.memberKind = kind === 'harmless' && !DESCRIBES.test(member) ? around : kind
}

function kindOfMember(container: Container, secrets: Secrets): NameKind {
  const { member, of } = container
  if (member === `"${JWK_TYPE}"`) container.isKey = true
  if (OF_QUESTIONS.test(member)) container.asks = true
  if (IS_ANSWER.test(member) && (container.asks === true || OF_QUESTIONS.test(of))) return 'secret'
  const kind = kindOfToken(member, secrets)
  if (kind === 'harmless') return kind
  if ((of === '"signatures"' || OF_FILE.test(of)) && OF_SIGNATURES.test(member)) return 'harmless'
  // A path, or the name of a package, says little of what belongs to it.
  return member.includes('/') || NAMED_AFTER.test(of) ? 'maybe' : kind
}
