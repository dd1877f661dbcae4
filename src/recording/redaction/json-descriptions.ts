import { isLabelOf, type NameKind, saysOfResult } from './names.ts'

/** How a description of a field begins (JSON Schema, OpenAPI), where the field itself would have its value. */
const DESCRIPTION =
  /\{\s{0,200}"const"\s{0,9}:|\{\s{0,9}"id"\s{0,9}:\s{0,9}"[^"]{1,60}"\s{0,9},\s{0,9}"type"\s{0,9}:\s{0,9}"(?:title|rich_text|number|select|multi_select|status|date|people|files|checkbox|url)"|\{\s{0,200}"(?:\$ref|\$dynamicRef|anyOf|oneOf|allOf|enum|const|properties|additionalProperties|authorizationUrl|tokenUrl|location|locationName|type)"\s{0,9}:\s{0,9}(?:[^"\s]|"(?:(?:string|number|integer|boolean|array|object|null|structure|list|map|timestamp|long|blob|uri|header|headers|querystring|[a-z]\w{0,60}[A-Z]\w{0,60}|apiKey|http|oauth2|openIdConnect|mutualTLS)"|[#./]|https?:))|\{\s{0,200}"locationName"\s{0,9}:\s{0,9}"[^"]{1,80}"\s{0,200}(?:\}|,\s{0,200}"(?:shape|type|location)"\s{0,9}:)|\{\s{0,200}"shape"\s{0,9}:\s{0,9}"[A-Za-z]\w{0,80}"|\{\s{0,200}"(?:\$comment|description|title|format|examples?|default|nullable|deprecated|readOnly|writeOnly|minLength|maxLength|pattern|required|in|name|scheme|bearerFormat|authorizationUrl|tokenUrl|scopes|x-[\w-]+)"\s{0,9}:[^{}]{0,2000}?"(?:properties"\s{0,9}:|in"\s{0,9}:\s{0,9}"(?:query|header|path|cookie|body|formData)"|(?:authorization|token)Url"\s{0,9}:|type"\s{0,9}:\s{0,9}"(?:string|number|integer|boolean|array|object|apiKey|http|oauth2)"|type"\s{0,9}:\s{0,9}\[|items"\s{0,9}:\s{0,9}\{|\$ref"\s{0,9}:)/y

/** One of several examples, which have names of their own (OpenAPI 3.1, section 4.8.19). */
const EXAMPLE = /\{\s{0,200}"(?:(?:summary|description|externalValue|\$ref)"|value"\s{0,9}:\s{0,9}[{[])/y

const OF_TOKEN = /^"(?:token|session)"$/i
/** What may be an object that says of a secret what it is like, or that holds it. */
const OF_DESCRIBED = /^"(?:\w{0,40}(?:token|session|password|passphrase|cookie|secret)|credentials?)"$/i
const SAYS_OF_SECRET =
  /(?:^"(?:title|description|status|label|policy|provider|symbol|alg(?:orithm)?|format|scopes?|store|same_?site|platform|issuer|help|ip_?address)|(?:user|client|account|tenant|org|organi[sz]ation|owner|customer)_?id|agent|name|type|kind|path|route|mode|methods?|_at|At|expires|expires_?in|seconds|date|ur[il])"$/i
/** What an item of a store of secrets is called where the answer is wrapped: `{ "data": [{ "id": … }] }`. */
const SAYS_OF_ITEM =
  /^"(?:id|uuid|name|type|kind|path|description|status|label|labels|tags|version|enabled|attributes|relationships|links|meta|metadata|\w{1,40}(?:_id|Id|_at|At|_by|By|_on|_date|Date|_name|Name|_url|Url|_count|Count))"$/
/** Under these, and places in lists, numbers are secrets too. */
const IS_VALUE = /^"(?:\d+|value|raw|code|pin|text|plain(?:text)?)"$/i
/** What is said of a session, which is a number or shorter than its key. */
const OF_SESSION = /^"session"$/i
const IN_SESSION = /^"(?:\d{1,15}|[^"\\]{0,11})"$/
/** A signature beside the key that anyone may check it by. */
const OF_EVENT = /^"[0-9a-f]{128}"$/
/** Words for results and for sessions, beside other things, and the most digits of their counts. */
const IS_RESULT = /^"pass"$/i
const MAX_RESULT = 5
/** What a check says else. */
const OTHER_RESULT = /\s{0,200},\s{0,200}"(?:fail(?:ed|ure)?|incomplete|warn(?:ing)?|skip(?:ped)?)"\s{0,9}:/y
const IS_SESSION = /^"(?:\w{0,20}[._-])?session(?:[._-]?id)?"$/i
const MAX_SESSION = 13

/** A piece of the text of a language model, and how probable it was. */
const OF_MODEL = /\{[^{}]{0,400}?"logprob"\s{0,9}:\s{0,9}(?:-?\d|null)/y
const IS_PIECE =
  /\s{0,9},\s{0,9}"(?:logprob"\s{0,9}:\s{0,9}(?:-?\d|null)|start_offset"\s{0,9}:\s{0,9}\d|token_str")/y
/** What a text is cut into begins or ends where words do, and has no digits. */
const PIECE = /^"(?:(?:\\[nrt]|\s)[^"]{0,40}|[^"]{0,40}(?:\\[nrt]|\s)|\p{L}{1,20})"$/u

/** An object or list of JSON that is being read. */
export interface Around {
  readonly isObject: boolean
  /** All that is in here belongs to a secret field. */
  readonly isSecret: boolean
  /** The name of the member that is being read, quotes included. */
  member: string
  /** What it says of texts that are its value, or directly in it. */
  memberKind: NameKind
  /** The member that the object or list is the value of, quotes included. */
  readonly of: string
  /** Whether it is an object in a list. */
  readonly isListed: boolean
}

/**
 * Whether the object or list that begins here says what a secret is for, and is none: what is in the members of a token
 * (Keystone), and the description of a field.
 */
export function isAboutSecret(around: Around | undefined, text: string, at: number): boolean {
  if (around?.isObject === true && around.isSecret && OF_TOKEN.test(around.of))
    return around.memberKind !== 'secret' || OF_TOKEN.test(around.member)
  if (around?.of === '"examples"' && isAt(EXAMPLE, text, at)) return true
  return isAt(DESCRIPTION, text, at) || (around?.member === '"token"' && isAt(OF_MODEL, text, at))
}

function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** Whether the member that is being read says of a secret what it is like, or since when it is. */
export function saysOfSecret({ of, member, isListed }: Around): boolean {
  return (
    (OF_DESCRIBED.test(of) && SAYS_OF_SECRET.test(member)) ||
    (isListed && of === '"data"' && SAYS_OF_ITEM.test(member))
  )
}

/** Whether a number, which ends here in a text, may be read by anyone, though others of the same name are secrets. */
export function isCount(around: Around, number: string, text: string, end: number): boolean {
  const { isObject, isSecret, member, memberKind, of } = around
  if (!isObject) return false
  if (memberKind === 'secret') {
    if (IS_RESULT.test(member)) return number.length <= MAX_RESULT
    if (IS_SESSION.test(member)) return number.length <= MAX_SESSION
    return member === '"token"' && isAt(IS_PIECE, text, end)
  }
  return isSecret && OF_DESCRIBED.test(of) && !IS_VALUE.test(member)
}

/**
 * Whether a string, which ends here in a text, is a label, what an editor colours by a rule, as
 * `"token": "keyword.operator"`, or a piece of the text of a model.
 */
export function isLabel(
  { member, memberKind, of }: Around,
  string: string,
  text: string,
  end: number,
): boolean {
  if (isLabelOf(member.slice(1, -1), string.slice(1, -1))) return true
  if (saysOfResult(of.slice(1, -1), string.slice(1, -1))) return true
  if (IS_RESULT.test(member) && isAt(OTHER_RESULT, text, end)) return true
  if (OF_SESSION.test(of) && memberKind !== 'secret' && IN_SESSION.test(string)) return true
  if (member === '"sig"' && OF_EVENT.test(string)) return text.includes('"pubkey"')
  if (member !== '"token"') return false
  if (of === '"tokens"' && PIECE.test(string)) return true
  return (of === '"rules"' && SCOPE.test(string)) || isAt(IS_PIECE, text, end)
}

const SCOPE = /^"[A-Za-z-]{2,30}(?:[.| ]{1,3}[A-Za-z\d-]{1,30}){0,12}"$/
