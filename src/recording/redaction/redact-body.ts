import type { Content, PostData } from '../exchange.ts'
import type { QuoteHarmless } from './harmless-json.ts'
import { type MediaKind, contentKindOf } from '../../media-type.ts'
import {
  looksLikeJson,
  looksLikeXml,
  redactJson,
  redactJsonLines,
  redactValue,
  redactXmlValue,
} from './redact-json.ts'
import { isBinary, isMostlyBinary, redactBinary } from './redact-binary.ts'
import { isTextInBase64 } from './redact-base64.ts'
import { redactCommentedJson } from './redact-commented-json.ts'
import { redactEnvelopes } from './redact-envelopes.ts'
import { ofStream } from './model-tokens.ts'
import { decodeParameter } from './parameters.ts'
import { redactLines } from './redact-lines.ts'
import { isPlaceholder, looksRandom } from './random-look.ts'
import { leadsToSecret } from './redact-settings.ts'
import { redactMultipart } from './redact-multipart.ts'
import { isScript, redactPage } from './redact-page.ts'
import { redactTable } from './redact-table.ts'
import { redactShapes, redactTags, redactText } from './redact-text.ts'
import { inPrograms, inScript, keepingLengths, type Secrets } from './secrets.ts'
import { mayHoldShape } from './shapes.ts'

/** A body's text without secrets, or why it cannot be kept. */
export type RedactedBody = { readonly text: string } | { readonly omitted: string }

/** Ends the sentence that says why a body was left out. */
export const UNCHECKED = 'so it could not be checked for secrets'

/** Looks into a body as its `Content-Type` asks. A body of a known shape that does not have this shape is left out. */
export function redactBody(text: string, contentType: string, secrets: Secrets): RedactedBody {
  if (isWide(contentType)) return { omitted: `in a character set of wide characters, ${UNCHECKED}` }
  try {
    return REDACTORS[contentKindOf(contentType)](text, secrets, contentType)
  } catch (error) {
    // A pattern takes a word of megabytes letter by letter, for which V8 has no stack.
    if (error instanceof RangeError) return { omitted: `with a word of megabytes, ${UNCHECKED}` }
    throw error
  }
}

/** The same for the beginning of a body, which has no shape of its own. */
export function redactBeginning(text: string, contentType: string, secrets: Secrets): RedactedBody {
  if (isWide(contentType)) return { omitted: `in a character set of wide characters, ${UNCHECKED}` }
  const kept = keepingLengths(secrets)
  return { text: redactText(redactLines(redactTags(text, kept), kept), kept) }
}

/** Whether a body may state the lengths of its parts, by its `Content-Type`, since it has no other syntax known here. */
export function mayStateLengths(text: string, contentType: string): boolean {
  const kind = contentKindOf(contentType)
  if (kind === 'multipart') return true
  return (
    /^(text|binary)$/.test(kind) &&
    !/html/i.test(contentType) &&
    !isProgram(contentType) &&
    !looksLikeJson(text)
  )
}

// Whether each character takes two bytes or more.
function isWide(contentType: string): boolean {
  return /charset=["']?utf-?(16|32)/i.test(contentType)
}

/** What quotes bodies that hold none of these texts either; `undefined` for bodies that are not JSON. */
export function quoterOf(
  contentType: string,
  { quoteHarmless }: Secrets,
  texts: readonly string[],
): QuoteHarmless | undefined {
  if (contentKindOf(contentType) !== 'json' || isWide(contentType)) return undefined
  if (texts.length === 0) return quoteHarmless
  return (bytes) => (texts.some((text) => bytes.includes(text)) ? undefined : quoteHarmless(bytes))
}

type RedactBody = (text: string, secrets: Secrets, contentType: string) => RedactedBody

const REDACTORS: Readonly<Record<MediaKind, RedactBody>> = {
  json: redactJsonBody,
  'json-lines': redactJsonBody,
  events: (text, secrets) => ({ text: redactEvents(text, secrets) }),
  // curl sends JSON under this type unless another is given.
  form: (text, secrets) =>
    text.trimStart().startsWith('{') ? redactJsonBody(text, secrets) : { text: redactForm(text, secrets) },
  multipart: (text, secrets, contentType) => redactMultipart(text, secrets, contentType, redactBody),
  xml: (text, secrets) => ({ text: redactXmlValue(text, secrets) }),
  text: redactUntyped,
  binary: redactUntyped,
}

// Some APIs stream a value a line under the plain JSON type.
function redactJsonBody(text: string, secrets: Secrets): RedactedBody {
  const redacted =
    redactAnyJson(text, secrets) ??
    redactEnvelopes(text, secrets) ??
    redactGuardedJson(text, secrets) ??
    redactCommentedJson(text, secrets)
  return redacted === undefined ? { omitted: `not valid JSON, ${UNCHECKED}` } : { text: redacted }
}

/** What servers put before JSON so that no page can run it, and the call that JSONP makes of it. */
const GUARD =
  /^\s*(?:\)\]\}',?|for\s?\(;;\);|while\s?\((?:1|true)\);|\{\}\s?&&|throw [^\n;]{1,60};|(?:\/\*\*\/\s*)?[\w$.]{1,100}\()\s*(?=[[{])/

function redactGuardedJson(text: string, secrets: Secrets): string | undefined {
  const [guard = ''] = GUARD.exec(text) ?? []
  const [end = ''] = guard.trimEnd().endsWith('(')
    ? (/(?<!\s)\s*\)\s*(?:;\s*)?$/.exec(text.slice(-20)) ?? [])
    : []
  if (guard === '' || (guard.trimEnd().endsWith('(') && end === '')) return undefined
  const redacted = redactJson(text.slice(guard.length, text.length - end.length), secrets)
  return redacted === undefined ? undefined : guard + redacted + end
}

function redactAnyJson(text: string, secrets: Secrets): string | undefined {
  return redactJson(text, secrets) ?? redactJsonLines(text, secrets)
}

function redactUntyped(text: string, secrets: Secrets, contentType: string): RedactedBody {
  if (isMostlyBinary(text)) return { text: redactBinary(text, secrets) }
  const { text: clean } = redactWhole(text, secrets, contentType)
  // Literals of programs have control characters, too, and their letters state lengths by chance.
  return { text: isBinary(clean) && !isProgram(contentType) ? redactBinary(clean, secrets) : clean }
}

function redactWhole(text: string, secrets: Secrets, contentType: string): { readonly text: string } {
  const own = mayStateLengths(text, contentType) ? keepingLengths(secrets) : secrets
  const program = /markdown/i.test(contentType) || isProgram(contentType) ? inPrograms(own) : own
  const kept = isScript(contentType) ? inScript(program) : program
  // Sections of settings begin as lists do.
  const json = looksLikeJson(text) ? redactAnyJson(text, secrets) : undefined
  if (json !== undefined) return { text: json }
  if (isEncoded(text) || OF_BASE64.test(contentType)) return { text: redactValue(text, secrets) }
  // What ends so is base64.
  if (!isScript(contentType) && text.includes('=') && /^\$?[^\s=&;/:?<$"'(]+=[^\s;=][^\s;]*$/.test(text))
    return { text: redactForm(text, secrets) }
  if (/html/i.test(contentType)) return { text: redactPage(text, kept) }
  if (looksLikeXml(text)) return { text: redactXmlValue(text, kept) }
  const table = isTable(contentType) || looksLikeTable(text) ? redactTable(text, kept) : undefined
  if (table !== undefined) return { text: table }
  const afterPrefix = redactAfterPrefix(text, secrets)
  if (afterPrefix !== undefined) return { text: afterPrefix }
  if (isProgram(contentType)) return { text: redactText(text, kept) }
  return { text: redactText(redactTags(redactLines(text, kept), kept), kept) }
}

/** What base64 of a text or of gzip begins with. */
const BASE64_OF_TEXT = /^[A-Za-f]/
function isEncoded(text: string): boolean {
  return BASE64_OF_TEXT.test(text) && isTextInBase64(text)
}

/** Base64 of binary messages. */
const OF_BASE64 = /^application\/grpc-web-text\b/i

// Socket.IO and others put a few characters before JSON, such as `42["event",{…}]`, or `97:0{…}` with its length.
function redactAfterPrefix(text: string, secrets: Secrets): string | undefined {
  const [prefix = ''] = /^[\w:/,.-]{1,60}(?=[[{])/.exec(text) ?? []
  const own = /\d:/.test(prefix) ? keepingLengths(secrets) : secrets
  const redacted = prefix === '' ? undefined : redactJson(text.slice(prefix.length), own)
  return redacted === undefined ? undefined : prefix + redacted
}

function isTable(contentType: string): boolean {
  return /csv|tab-separated/i.test(contentType)
}

// Two rows of at least three cells, whose separators are as many.
function looksLikeTable(text: string): boolean {
  const [, first = '', second = ''] =
    /^([\w"][^\r\n]{3,1000})\r?\n([^\r\n]{3,4000})(?:\r?\n|$)/.exec(text) ?? []
  const separator = /[,;\t|]/.exec(first)?.[0]
  if (separator === undefined || !/^[\w",;|\t -]+$/.test(first)) return false
  const count = first.split(separator).length
  return count > 2 && second.replaceAll(/"[^"]*"/g, '').split(separator).length === count
}

const PROGRAM =
  /script|css|graphql|sql|\/x-(?:python|ruby|perl|php|lua|java|kotlin|scala|groovy|swift|rust|go|c|csrc|chdr|c\+\+|c\+\+src|csharp|haskell)\b/i

function isProgram(contentType: string): boolean {
  return PROGRAM.test(contentType)
}

// The `data` lines of an event are one text: HTML Living Standard, section 9.2.6.
function redactEvents(text: string, given: Secrets): string {
  const secrets = ofStream(text, given)
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const redacted: string[] = []
  for (let at = 0; at < lines.length;) {
    const data: string[] = []
    for (; lines[at]?.startsWith('data:') === true; at++) data.push(lines[at]?.slice('data:'.length) ?? '')
    if (data.length > 0) redacted.push(redactData(data, secrets))
    else redacted.push(redactText(lines[at++] ?? '', secrets))
  }
  return redacted.join('')
}

function redactData(lines: readonly string[], secrets: Secrets): string {
  const data = lines.join('')
  // Half a JSON object cannot be looked into. Texts such as `[DONE]` can.
  const other = (): string =>
    data.trimStart().startsWith('{') ? ` ${secrets.pseudonymize(data)}\n` : redactText(data, secrets)
  const redacted = redactAnyJson(data, secrets) ?? other()
  return redacted.replaceAll(/^(?=.)|(?<=\r\n|\n|\r(?!\n))(?=.)/gs, 'data:')
}

/** Hides the secrets of a URL, absolute or not: user info, and parameters of its path, query and fragment. */
export function redactUrl(url: string, secrets: Secrets): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  // An OAuth answer carries its tokens in the fragment (RFC 6749, section 4.2.2).
  const segments = base.split('/').map((each) => {
    if (/^[\w.-]{1,60}=[^;=]+$/.test(each)) return redactPair(each, false, secrets)
    if (isEncoded(each)) return redactValue(each, secrets)
    return each.includes('%') ? redactEncoded(each, secrets) : each
  })
  return [
    redactText(segments.join('/'), secrets),
    ...[query, fragment].map(
      (part) => part.slice(0, 1) + redactForm(part.slice(1), secrets, leadsToSecret(base)),
    ),
  ].join('')
}

/**
 * Hides the secret fields of an `application/x-www-form-urlencoded` text, which is also what a query is.
 * @param isLed whether it is the query of a path that leads to secrets
 */
export function redactForm(form: string, secrets: Secrets, isLed = false): string {
  if (form === '') return form
  const pairs = form.split('&')
  const names = pairs.map((pair) => decodeParameter(pair.slice(0, Math.max(0, pair.indexOf('=')))))
  const hasCode = hasAuthorizationCode(names)
  return pairs.map((pair) => redactPair(pair, hasCode, secrets, isLed)).join('&')
}

/** Whether the parameter `code` beside these is an authorization code (RFC 6749, sections 4.1.2 and 4.1.3). */
export function hasAuthorizationCode(names: readonly string[]): boolean {
  return (
    names.includes('code') &&
    names.some((name) => /^(state|session_state|grant_type|redirect_uri)$/.test(name))
  )
}

/** The value of a decoded parameter, without its secrets. */
export function redactParameter(name: string, value: string, secrets: Secrets, hasCode = false): string {
  if (secrets.hidesParameter(name, value) || (hasCode && name === 'code' && !isPlaceholder(value)))
    return secrets.pseudonymize(value)
  return redactValue(value, secrets)
}

// No token is shorter, and so no name that is one.
const MIN_SECRET = 16

function redactEncoded(text: string, secrets: Secrets): string {
  if (!text.includes('%')) return redactText(text, secrets)
  const decoded = decodeParameter(text)
  const redacted = redactValue(decoded, secrets)
  return redacted === decoded ? text : encodeURIComponent(redacted)
}

function redactPair(pair: string, hasCode: boolean, secrets: Secrets, isLed = false): string {
  const equals = pair.indexOf('=')
  const name = pair.slice(0, Math.max(0, equals))
  if (equals === -1) return redactEncoded(pair, secrets)
  if (name.includes('://') || (equals >= MIN_SECRET && mayHoldShape(name))) return redactText(pair, secrets)
  const value = decodeParameter(pair.slice(equals + 1))
  const redacted =
    isLed && looksRandom(value)
      ? secrets.pseudonymize(value)
      : redactParameter(decodeParameter(pair.slice(0, equals)), value, secrets, hasCode)
  if (redacted !== value) return `${pair.slice(0, equals + 1)}${encodeURIComponent(redacted)}`
  // What was not encoded as a form.
  return pair.includes('+') ? redactShapes(pair, secrets) : pair
}

const MORE_THAN_CHARSET = /;\s{0,9}(?!charset=|boundary=)[^;=]{1,80}=/i

/** A body without the secrets of its type: clients and servers put tokens into its parameters, too. */
export function redactType<Body extends Content | PostData>(body: Body, secrets: Secrets): Body {
  return MORE_THAN_CHARSET.test(body.mimeType)
    ? { ...body, mimeType: redactValue(body.mimeType, secrets) }
    : body
}
