import { isLabelOf, type NameKind } from './names.ts'
import { isPlaceholder, looksCoined, looksRandom } from './random-look.ts'
import { looksSecret, looksSecretAs, PAIR_VALUE, type Secrets } from './secrets.ts'

/** Where in a text something is. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** An object of JSON that may name what it holds. */
export interface Pair {
  /** The name of the member that is being read, quotes included. */
  readonly member: string
  /** The member that the object, or a list of it, is the value of, quotes included. */
  readonly of: string
  /** What the object is a value of, if it says so, quotes included. */
  label?: string
  /** Where that value is. */
  value?: Range
  /** What the object says of its value is that it is a secret. */
  isMarked?: boolean
}

const PAIR_NAME =
  /^"(?:name|key|parameter_?key|field|header|param|parameter|path|variable|attribute|setting|property|label|title|k|n)"$/i
/** Values of what has a name beside it, which most JSON has for others: a label has to say it. */
const LABELLED =
  /^"(?:content|text|data|string|(?:old|new)(?:value|string)?|(?:from|to)(?:string)?|before|after)"$/i

const MARKED = /\{[^{}]{0,4000}?"(?:sensitive"\s{0,9}:\s{0,9}true|type"\s{0,9}:\s{0,9}"secret")/y

/** Whether the object that begins here says of its value that it is a secret: outputs of plans, values of a collection. */
export function marksSecret(text: string, at: number): boolean {
  MARKED.lastIndex = at
  return MARKED.test(text)
}

/** Of these, whatever they are called may be a session. */
const OF_COOKIES = /^"(?:set-?)?cookies?"$/i

/**
 * Where the secret is that an object has besides its name, in either order, now that one more of its texts has been read:
 * `{ "name": "password", "value": "…" }`.
 */
export function secretOfPair(
  container: Pair,
  string: string,
  range: Range,
  text: string,
  secrets: Secrets,
): Range | undefined {
  if (PAIR_NAME.test(container.member) || isTypeOfCredential(container, string)) container.label = string
  else if (container.label !== undefined && LABELLED.test(container.member))
    return secretBesideLabel(container, string, range, secrets)
  else if (PAIR_VALUE.test(container.member)) container.value = range
  else return undefined
  const { label, value, isMarked } = container
  if (isMarked === true && value !== undefined) return value
  if (label === undefined || value === undefined) return undefined
  const kind = kindOfToken(label, secrets)
  const given = text.slice(value.start, value.end)
  const isCookie = OF_COOKIES.test(container.of) && looksMadeUp(textOf(given))
  const isSecret =
    kind === 'secret' && !isPlaceholder(textOf(given)) && !isLabelOf(textOf(label), textOf(given))
  return isSecret || isCookie || isSecretText(kind, label, given) ? value : undefined
}

// `"credentials": [{ "type": "password", "value": "…" }]`
function isTypeOfCredential({ member, of }: Pair, string: string): boolean {
  return member === '"type"' && of === '"credentials"' && /^"pass(?:word|phrase)"$/.test(string)
}

// `{ "field": "password", "old": "…", "new": "…" }`, as logs of changes have it.
function secretBesideLabel(
  { label }: Pair,
  string: string,
  range: Range,
  secrets: Secrets,
): Range | undefined {
  if (label === undefined) return undefined
  const kind = kindOfToken(label, secrets)
  if (kind === 'harmless') return undefined
  const value = textOf(string)
  return looksMadeUp(value) && looksSecret(kind, value) ? range : undefined
}

function looksMadeUp(text: string): boolean {
  return looksCoined(text) || looksRandom(text)
}

/** The text that a string of JSON is, given with its quotes. */
export function textOf(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
}

/** What the name of a member, quotes included, says of its value. */
export function kindOfToken(token: string, { kindOf }: Secrets): NameKind {
  return kindOf(textOf(token))
}

/** Whether a text is a secret where its name alone does not say so. */
export function isSecretText(kind: NameKind, name: string, token: string): boolean {
  if (kind === 'harmless' || kind === 'secret') return false
  return looksSecretAs(name, kind, textOf(token))
}
