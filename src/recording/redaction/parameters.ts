import { isFileName, isUuid, looksCoined, looksLikeCode, looksRandom } from './random-look.ts'
import { normalizeName } from './names.ts'

/** Percent-decodes a name or value of a query or form; what cannot be decoded stays as it is. */
export function decodeParameter(text: string): string {
  if (!text.includes('%')) return text.includes('+') ? text.replaceAll('+', ' ') : text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Too common as field names in JSON, but as parameters they carry credentials (`?key=AIza…`, `?auth=…`). */
export const SECRET_PARAMETERS = new Set(['key', 'auth', 'sid'])

const SHORTEST_KEY = 4
const FILE = /\.[a-z]{2,5}$/
/** Words, as items are called by: `theme`, `user_name`, `userName`, `SIZE_01`. */
const WORDS =
  /^(?:[a-z]{2,15}(?:[-_. ][a-z]{2,15}){0,5}|[a-z]{2,15}(?:[A-Z][a-z]{2,15}){1,5}|[A-Z]{2,12}(?:_[A-Z]{2,12}){0,4}_?\d{0,3})$/

// Keys of an index are JSON: `?key="blue"`, `?key=["2024",7]`.
const JSON_KEY = /^(?:"[^"]*"|\[[^]*\]|\{[^]*\})$/
const SMALL = /^[a-z]/

/** Names of items, in parts, as caches, indexes and stores of files have them, and numbers of sessions. */
export function isOfItems(name: string, value: string): boolean {
  return (
    (name === 'key' && WORDS.test(value) && !(SMALL.test(value) && looksCoined(value))) ||
    (JSON_KEY.test(value) && !value.split(/[^\w-]+/).some(looksMadeUp)) ||
    value.length < SHORTEST_KEY ||
    isFileName(value) ||
    /^\d{1,13}$/.test(value) ||
    (/[/:]/.test(value) && !value.split(/[/:]/).some((part) => looksMadeUp(part) && !FILE.test(part)))
  )
}

function looksMadeUp(value: string): boolean {
  return looksRandom(value) || looksLikeCode(value)
}

/** Names whose values are secrets by their form alone: what is dialled, and ids of tokens that are UUIDs. */
const FORMS: Readonly<Record<string, (value: string) => boolean>> = {
  pin: (value) => /^\d{4,8}$/.test(value),
  secretid: isUuid,
}

/** Whether a value has the form of a secret of this name; `undefined` for names that have none. */
export function hasFormOf(name: string, value: string): boolean | undefined {
  return FORMS[normalizeName(name)]?.(value)
}

// What signs URLs and answers of logins, under names that also stand for others.
const MAYBE_PARAMETERS =
  /^(?:code|s|t|st|sk|hm|oh|verify|magic|hashkey|userkey|zak|hdn(?:ts|ea|tl)|token|appid|p|h|e)$/
const MIN_SIGNATURE = 16

/** Whether a value looks as what signs URLs does, under a name that may stand for it. */
export function isSignedBy(name: string, value: string): boolean {
  const normal = normalizeName(name)
  if (value.length < MIN_SIGNATURE || !MAYBE_PARAMETERS.test(normal)) return false
  // Others report by it what is opaque.
  if (normal === 's' || normal === 't') return /^[0-9a-f]{32,}$/.test(value)
  return looksRandom(value) || value.includes('hmac=')
}
