import { isLabelOf, type NameKind } from './names.ts'

/** How a description of a field begins (JSON Schema, OpenAPI), where the field itself would have its value. */
const DESCRIPTION =
  /\{\s{0,200}"(?:\$ref|\$dynamicRef|anyOf|oneOf|allOf|enum|const|properties|additionalProperties|authorizationUrl|tokenUrl|location|locationName|type)"\s{0,9}:\s{0,9}(?:[^"\s]|"(?:(?:string|number|integer|boolean|array|object|null|structure|list|map|timestamp|long|blob|uri|header|headers|querystring|[a-z]\w{0,60}[A-Z]\w{0,60}|apiKey|http|oauth2|openIdConnect|mutualTLS)"|[#./]|https?:))|\{\s{0,200}"shape"\s{0,9}:\s{0,9}"[A-Za-z]\w{0,80}"|\{\s{0,200}"(?:\$comment|description|title|format|examples?|default|nullable|readOnly|writeOnly|minLength|maxLength|pattern|required|in|name|scheme|bearerFormat|authorizationUrl|tokenUrl|scopes|x-[\w-]+)"\s{0,9}:[^{}]{0,2000}?"(?:properties"\s{0,9}:|in"\s{0,9}:\s{0,9}"(?:query|header|path|cookie|body|formData)"|(?:authorization|token)Url"\s{0,9}:|type"\s{0,9}:\s{0,9}"(?:string|number|integer|boolean|array|object|apiKey|http|oauth2)"|\$ref"\s{0,9}:)/y

const OF_TOKEN = /^"(?:token|session)"$/i
const SAYS_OF_TOKEN =
  /(?:^"(?:name|title|description|type|kind|status|label)|_at|At|expires|expires_?in|date|ur[il])"$/

/** A piece of the text of a language model, and how probable it was. */
const OF_MODEL = /\{[^{}]{0,400}?"logprob"\s{0,9}:\s{0,9}(?:-?\d|null)/y
const IS_PROBABLE = /\s{0,9},\s{0,9}"logprob"\s{0,9}:\s{0,9}(?:-?\d|null)/y

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
}

/**
 * Whether the object or list that begins here says what a secret is for, and is none: what is in the members of a token
 * (Keystone), and the description of a field.
 */
export function isAboutSecret(around: Around | undefined, text: string, at: number): boolean {
  if (around?.isObject === true && around.isSecret && OF_TOKEN.test(around.of))
    return around.memberKind !== 'secret' || OF_TOKEN.test(around.member)
  return isAt(DESCRIPTION, text, at) || (around?.member === '"token"' && isAt(OF_MODEL, text, at))
}

function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** Whether the member that is being read says of a token what it is, or since when. */
export function saysOfToken({ of, member }: Around): boolean {
  return OF_TOKEN.test(of) && SAYS_OF_TOKEN.test(member)
}

/**
 * Whether a string, which ends here in a text, is a label, what an editor colours by a rule, as
 * `"token": "keyword.operator"`, or a piece of the text of a model.
 */
export function isLabel({ member, of }: Around, string: string, text: string, end: number): boolean {
  if (isLabelOf(member.slice(1, -1), string.slice(1, -1))) return true
  if (member !== '"token"') return false
  return (of === '"rules"' && SCOPE.test(string)) || isAt(IS_PROBABLE, text, end)
}

const SCOPE = /^"[A-Za-z-]{2,30}(?:[.| ]{1,3}[A-Za-z\d-]{1,30}){0,12}"$/
