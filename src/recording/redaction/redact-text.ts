import type { LinearPattern } from '../../engine/linear-pattern.ts'
import { ANY_QUOTE, redactAssignments } from './redact-assignments.ts'
import { decodeReferences, encodeReferences } from './character-references.ts'
import { PSEUDONYM_TEXT, type Secrets } from './secrets.ts'
import { decodeParameter } from './parameters.ts'
import { MAY_HOLD_SQL, redactSql } from './redact-sql.ts'
import { redactBase64 } from './redact-base64.ts'
import { BRACKET_QUOTE, redactLiterals } from './redact-literals.ts'
import { redactCells, redactElements } from './redact-cells.ts'
import { leadsToSecret, redactSegments, redactSettings } from './redact-settings.ts'
import { isPlaceholder, looksRandom } from './random-look.ts'
import { replaceShapes } from './shapes.ts'

// All up to the last `@` of the authority, as the WHATWG URL parser reads it.
// The digest of an image stands behind `@`, too.
const USER_INFO = /(?<=\/\/)[^\s/?#"<>\\]+(?=@(?!sha\d{3}:[\da-f]{8}))/g

// Names by which anyone may read.
const PUBLIC_USER = /^(?:git|hg|svn|ssh|(?::pserver:)?anon(?:cvs|svn|ymous))$/

// What texts about URLs write.
const SAMPLE_USER =
  /^(?:user(?:name)?|login|name|foo|scott|abc)[N\d]?(?::(?:pass(?:word|wd)?|pwd?|bar|tiger|xyz)[N\d]?)?$/i

// A parameter inside a URL, or inside a URL that is itself a percent-encoded parameter.
const PARAMETER = /(?:[?&#;]|%3F|%26|%23|%3B)((?:(?!%3[DF]|%2[36])[^?&#;=\s"<>\\]){1,80})(=|%3D)/gi
const NAME = /^[\w%.$:[\]-]+$/
// Short ones, which are names of variables as well.
const MAYBE =
  /^(?:code|s|t|st|sk|hm|oh|verify|magic|(?:hash|user)[_-]?key|zak|hdn(?:ts|ea|tl)|__token__|appid)$/i
/** What stands behind `;token=` or `&&a.token=` in a program: a call, an array, a name, a word of the language. */
const OF_PROGRAM =
  /^(?:[([{!+]|[\w$.]+[([]|(?:function|return|new|null|void|this|true|false|undefined|typeof|await)\b)/
/** The same behind `;a.token=`, where a name has a value as well. */
const OF_MEMBER = /^[A-Za-z_$][\w$]*(?:[.,;):]|$)/
const PLAIN_END = /[&#\s"<>\\]|[)'\x60\]](?=[\s,;:.)'\x60\]}<]|$)|$/g
const ENCODED_END = /%26|%23|[&#\s"<>\\]|$/g

/** What a literal with a URL has behind the name of a parameter: a value without signs of a program, and the next one. */
const IN_LITERAL = /^[\w.~%+/=-]+(?:[&#"'\x60\s\\<]|$)/
const IN_STYLE = /\burl\([^\s"'()]*$/i
const USER_IN_LITERAL = /^[\w.~%+-]*(?::[\w.~%!$&*+,;=-]*)?$/

/** What stands before `;password=` in a literal: a URL, or settings of a connection. */
const BEFORE_SEMICOLON = /["'\x60](?:[a-z][a-z+.-]{1,20}:\/\/[^"'\x60\s]*|[a-z][\w ]{0,40}=[^"'\x60\n]*)$/i
const MAX_BEFORE = 400

function isInLiteral(text: string, at: number, start: number, end: number): boolean {
  const before = (): string => text.slice(Math.max(0, at - MAX_BEFORE), at)
  if (text.charAt(at) === ';') return BEFORE_SEMICOLON.test(before())
  return IN_LITERAL.test(text.slice(start, end + 1)) || (text.charAt(end) === ')' && IN_STYLE.test(before()))
}

/**
 * Hides what is a secret in any text: user info and parameters of every URL, relative ones too, what is given to a
 * secret name between quotes, JSON Web Tokens and other tokens of a known shape.
 */
export function redactText(text: string, secrets: Secrets): string {
  return redactDecoded(text, secrets, MAX_ENCODINGS)
}

/** How often what is in a path may be percent-encoded. */
const MAX_ENCODINGS = 2

function redactDecoded(text: string, secrets: Secrets, encodings: number): string {
  if (secrets.isScript === true && ESCAPED_LETTER.test(text)) {
    const plain = text.replaceAll(ESCAPED, (whole, code?: string) => letterOf(code) ?? whole)
    const redacted = redactPlain(plain, secrets, encodings)
    return redacted === plain ? text : redacted
  }
  return redactPlain(text, secrets, encodings)
}

/** Letters and digits that a script writes by their number, which means the same. */
const ESCAPED_LETTER = /\\(?:u00|x)(?:3\d|[46][1-9a-f]|[57][\da])/i
const ESCAPED = /\\\\|\\(?:u00|x)([3-7][\da-f])/gi

function letterOf(code: string | undefined): string | undefined {
  const letter = code === undefined ? '' : String.fromCharCode(parseInt(code, 16))
  return /^[A-Za-z\d]$/.test(letter) ? letter : undefined
}

function redactPlain(text: string, secrets: Secrets, encodings: number): string {
  const urls = redactUserInfo(redactParameters(text, secrets), secrets)
  const clean = MAY_HOLD_SQL.test(urls) ? redactSql(urls, secrets) : urls
  const literals =
    ANY_QUOTE.test(clean) || BRACKET_QUOTE.test(clean)
      ? redactLiterals(redactAssignments(clean, secrets), secrets)
      : clean
  const settings = redactSettings(literals, secrets)
  const redactInner = (decoded: string): string =>
    encodings === 0 ? redactShapes(decoded, secrets) : redactDecoded(decoded, secrets, encodings - 1)
  const paths = redactSegments(settings, secrets, redactInner)
  return redactShapes(redactEncodedTexts(paths, redactInner, secrets), secrets)
}

const ENCODED_VALUE = /=([^\s&#;=%"<>\\]*%[\da-f]{2}[^\s&#;="<>\\]*)/gi

/** JSON that is percent-encoded, JSON in base64, which is not the first part of a JSON Web Token, and what a URL holds. */
const ENCODED_JSON = /%(?:25)?(?:5B|7B)(?:%20|\+)*(?:%(?:25)?7B(?:%20|\+)*)?%(?:25)?22[\w%.~!*+-]{6,65536}/gi
const BASE64_JSON = /(?<![\w+/=.-])(?:eyJ|ewo|ew0K|eyA)[\w+/-]{12,65536}={0,2}(?![\w+/=.-])/g
const DATA = /(;base64,)((?:[A-Za-f]|H4sI)[\w+/-]{12,65536}={0,2})(?![\w+/=.-])/g

/** Hides the secrets of texts that stand encoded in a text: values of parameters, and JSON. */
function redactEncodedTexts(
  text: string,
  redactInner: (decoded: string) => string,
  { inflating }: Secrets,
): string {
  const redact = (value: string): string =>
    redactBase64(value, { json: redactInner, text: redactInner, inflating }) ?? value
  const json = /ey[JA]|ew[o0]/.test(text) ? text.replaceAll(BASE64_JSON, redact) : text
  const based = json.includes(';base64,')
    ? json.replaceAll(DATA, (_whole, head: string, value: string) => head + redact(value))
    : json
  if (!based.includes('%')) return based
  return based
    .replaceAll(ENCODED_JSON, (whole) => redactInside(whole, redactInner))
    .replaceAll(ENCODED_VALUE, (_whole, value: string) => `=${redactInside(value, redactInner)}`)
}

function redactInside(value: string, redactInner: (decoded: string) => string): string {
  const decoded = decodeParameter(value)
  const redacted = redactInner(decoded)
  return redacted === decoded ? value : encodeURIComponent(redacted)
}

function redactEncoded(value: string, { pseudonymize }: Secrets): string {
  return encodeURIComponent(pseudonymize(decodeParameter(value)))
}

function redactUserInfo(text: string, secrets: Secrets): string {
  if (!text.includes('@')) return text
  return text.replaceAll(USER_INFO, (userInfo) =>
    PUBLIC_USER.test(userInfo) ||
    /^[a-z]{1,20}$/.test(userInfo) ||
    SAMPLE_USER.test(userInfo) ||
    (secrets.isScript === true && !USER_IN_LITERAL.test(userInfo)) ||
    userInfo.includes('&lt;') ||
    // What XPath has before `@`, and what may be left out.
    userInfo.endsWith('[') ||
    userInfo.startsWith('[') ||
    isPlaceholder(userInfo) ||
    isPlaceholder(userInfo.slice(userInfo.indexOf(':') + 1))
      ? userInfo
      : userInfo
          .split(':')
          .map((part) => redactEncoded(part, secrets))
          .join(':'),
  )
}

function redactParameters(text: string, secrets: Secrets): string {
  // Most texts have none, and to look for these is faster by far.
  if (!text.includes('=') && !text.includes('%3D') && !text.includes('%3d')) return text
  const pieces: string[] = []
  let copied = 0
  for (const match of text.matchAll(PARAMETER)) {
    const [whole, encoded = '', equals] = match
    const start = match.index + whole.length
    if (start < copied) continue
    const name = decodeParameter(encoded)
    const isNamed = secrets.kindOf(name) !== 'harmless' || secrets.isSecretParameter(name)
    const isLed =
      whole.startsWith('?') && leadsToSecret(text.slice(Math.max(0, match.index - 80), match.index))
    if ((!isNamed && !isLed && !MAYBE.test(encoded)) || !NAME.test(name)) continue
    const ending = equals === '=' ? PLAIN_END : ENCODED_END
    ending.lastIndex = start
    const found = ending.exec(text)?.index ?? text.length
    const end = whole.startsWith(';') ? endInPath(text, match.index, start, found) : found
    const value = decodeParameter(text.slice(start, end))
    const isAfterStatement = whole.startsWith(';') || text.startsWith('&&', match.index - 1)
    if (/^[='"\x60)(]/.test(value) || (isAfterStatement && OF_PROGRAM.test(value))) continue
    if (encoded.includes('.') && !/sid$/i.test(encoded) && OF_MEMBER.test(value)) continue
    if (secrets.isScript === true && !isInLiteral(text, match.index, start, end)) continue
    if (!secrets.hidesParameter(name, value) && !(isLed && looksRandom(value))) continue
    pieces.push(text.slice(copied, start), redactEncoded(text.slice(start, end), secrets))
    copied = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

/** What stands before a parameter of a path (RFC 3986, section 3.3), which ends with its segment. */
const IN_PATH = /https?:\/\/[^\s"'<>?#]*$/i
const SEGMENT_END = /[/?]/g

function endInPath(text: string, at: number, start: number, end: number): number {
  if (!IN_PATH.test(text.slice(Math.max(0, at - MAX_BEFORE), at))) return end
  SEGMENT_END.lastIndex = start
  return Math.min(end, SEGMENT_END.exec(text)?.index ?? end)
}

// The first word of what has no scheme may be a secret (IANA's registry, and those of large vendors).
const SCHEME =
  /^((?:Basic|Bearer|Digest|DPoP|GNAP|HOBA|Mutual|Negotiate|NTLM|OAuth|SCRAM-SHA-(?:1|256)|vapid|AWS4-HMAC-SHA256|Hawk|SharedKey(?:Lite)?|Token|JWT|ApiKey|Api-Key|Key|SSWS) +)(\S.*)$/is

// A tag without an end goes on to that of the text: no text is then read twice.
const TAG = /<[a-z][\w.:-]*\s[^<>]*(?:>|$|(?=<))/gi
const TAG_NAME = /\s(?:name|key|id|property)\s*=\s*["']?([^"'\s>]+)/i
const IS_PASSWORD = /^<input\s(?:[^>]*\s)?type\s*=\s*["']?password\b/i
const TAG_VALUE = /(\b(?:value|content)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))/i

/** Quotes and letters that stand as references: JSON, programs, and what is to be found by nobody. */
const REFERENCE = /&(?:quot|apos|#\d{2,3}|#x[\da-f]{2});/i
const ATTRIBUTE = /(=\s*)(?:"([^"]*)"|'([^']*)')/g
const MAY_HAVE_CELLS = /[<\x60|]/

/** Hides the values of an HTML page's secret fields, such as `<input name="csrf_token" value="…">`. */
export function redactTags(text: string, secrets: Secrets): string {
  if (!MAY_HAVE_CELLS.test(text)) return text
  const { hides, kindOf, pseudonymize } = secrets
  return redactElements(redactCells(text, secrets), secrets).replaceAll(TAG, (whole) => {
    const tag = whole.includes('&') && REFERENCE.test(whole) ? redactAttributes(whole, secrets) : whole
    const [, name = ''] = TAG_NAME.exec(tag) ?? []
    if (kindOf(name) === 'harmless' && !IS_PASSWORD.test(tag)) return tag
    return tag.replace(TAG_VALUE, (attribute, head: string, double?: string, single?: string, bare = '') => {
      if (!hides(name, double ?? single ?? bare) && !IS_PASSWORD.test(tag)) return attribute
      if (double !== undefined) return `${head}"${pseudonymize(double)}"`
      return single === undefined ? `${head}${pseudonymize(bare)}` : `${head}'${pseudonymize(single)}'`
    })
  })
}

// What quotes are in is mostly JSON or a program.
function redactAttributes(tag: string, secrets: Secrets): string {
  return tag.replaceAll(ATTRIBUTE, (whole, head: string, double?: string, single = '') => {
    const value = double ?? single
    if (!REFERENCE.test(value)) return whole
    const decoded = decodeReferences(value)
    const redacted = redactText(decoded, secrets)
    if (redacted === decoded) return whole
    const encoded = encodeReferences(redacted)
    return double === undefined ? `${head}'${encoded}'` : `${head}"${encoded}"`
  })
}

/** The value of a header or field of a secret name: of credentials, the scheme stays. */
export function redactNamed(name: string, value: string, secrets: Secrets): string {
  return /authorization$/i.test(name) ? redactCredentials(value, secrets) : secrets.pseudonymize(value)
}

function redactCredentials(value: string, { pseudonymize }: Secrets): string {
  const [, scheme = '', rest = value] = SCHEME.exec(value) ?? []
  return `${scheme}${pseudonymize(rest)}`
}

/** Hides texts that are secrets by how they look, and those that the patterns of the rules in force fit. */
export function redactShapes(text: string, { patterns, pseudonymize }: Secrets): string {
  const known = replaceShapes(text, pseudonymize)
  return patterns.reduce((left, pattern) => redactPattern(left, pattern, pseudonymize), known)
}

// A pattern must not take a pseudonym apart.
function redactPattern(text: string, pattern: LinearPattern, pseudonymize: Secrets['pseudonymize']): string {
  return text
    .split(PSEUDONYM_TEXT)
    .map((part, index) => (index % 2 === 1 ? part : pattern.replaceAll(part, pseudonymize)))
    .join('')
}
