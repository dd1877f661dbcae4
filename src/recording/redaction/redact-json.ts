import { redactShapes, redactTags, redactText } from './redact-text.ts'
import { mayHoldShape } from './shapes.ts'
import { columnsIn } from './json-columns.ts'
import { beginMember, type Container, containerOf, isEntryOf } from './json-containers.ts'
import { LOOKS, noteHidden, wordsIn } from './json-dictionary.ts'
import { isAboutSecret, isCount, isLabel } from './json-descriptions.ts'
import { kindOfSaid } from './json-said.ts'
import { ofStream } from './model-tokens.ts'
import type { NameKind } from './names.ts'
import { isSecretText, kindOfToken, marksSecret, type Range, secretOfPair, textOf } from './json-pairs.ts'
import { isMadeOfWords, isPlaceholder, isPublic, looksCoined, looksRandom } from './random-look.ts'
import { isTextInBase64, mayBeBase64, redactBase64 } from './redact-base64.ts'
import { redactBinary } from './redact-binary.ts'
import { redactLines } from './redact-lines.ts'
import { redactXml } from './redact-xml.ts'
import { inPrograms, inScript, looksSecret, type Secrets } from './secrets.ts'

const [QUOTE, COMMA, MINUS, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const NUMBER = /-?\d[\d.eE+-]*/y
const WORTH_READING = /[?&#;@%{[\\'=]|<\w/
/** Names in programs, which source maps list. */
const CONSTANT = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/
/** What a source map was made of. */
const SOURCES = '"sourcesContent"'
const NAMES = '"names"'
/** The members of a key that are private (RFC 7518, section 6). */
const PRIVATE = /^"(?:d|p|q|dp|dq|qi|k)"$/
/**
 * Hides the secret fields of a JSON text at every depth, whatever they hold; undefined when it is not valid JSON.
 * The text is edited in place, not printed anew, so big numbers, repeated names and white space stay as sent.
 */
export function redactJson(text: string, secrets: Secrets): string | undefined {
  if (secrets.quoteHarmless(Buffer.from(text)) !== undefined) return text
  const { kindOf } = secrets
  const kindOfSaidName = kindOfSaid(text, kindOf)
  if (kindOfSaidName !== undefined) secrets = { ...secrets, kindOf: kindOfSaidName }
  if (!isJson(text)) return undefined
  const edits = new Map<number, Range & { readonly by: string }>()
  const replace = (start: number, end: number, by: string): void => void edits.set(start, { start, end, by })
  const hasPatterns = secrets.patterns.length > 0
  // Most texts hold none, and then each string need not be checked.
  const mayHoldAny = hasPatterns || mayHoldShape(text)
  const readsAll = hasPatterns || (mayHoldAny && text.includes('"base64"'))
  const mayHold = readsAll ? () => true : mayHoldAny ? mayHoldLong : () => false
  const columns = mayHoldAny ? columnsIn(text, (token) => kindOfToken(token, secrets)) : undefined
  let inSources: Secrets | undefined
  const programs = (): Secrets => (inSources ??= inScript(inPrograms(secrets)))
  const mayMark = text.includes('"sensitive"') || text.includes('"secret"')
  const budget = { left: LOOKS * text.length }
  const nest: Container[] = []
  let container: Container | undefined

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSecret = container?.memberIsSecret ?? false
    if (code === QUOTE) {
      const start = at
      const end = endOfString(text, start)
      at = end - 1
      if (container?.awaitsName === true) {
        beginMember(container, text.slice(start, end), secrets)
        const name = redactToken(container.member, mayHold, secrets)
        if (name !== container.member) replace(start, end, name)
        continue
      }
      const string = text.slice(start, end)
      const redacted =
        (isSecret &&
          !isPublicToken(string) &&
          !(container !== undefined && isLabel(container, string, text, end))) ||
        (container !== undefined &&
          (isSecretText(container.memberKind, container.member, string) ||
            (columns !== undefined && isSecretCell(columns.kindIn(container), string)) ||
            isAfterName(container, string, secrets)))
          ? pseudonymToken(string, secrets)
          : redactToken(string, mayHold, container?.of === SOURCES ? programs() : secrets)
      if (redacted !== string) replace(start, end, redacted)
      if (container === undefined) continue
      if (redacted !== string) noteHidden(container, string, start)
      columns?.note(container, string)
      if (!container.isObject) {
        container.before = string
        continue
      }
      if (PRIVATE.test(container.member)) (container.privates ??= []).push({ start, end })
      const value = secretOfPair(container, string, { start, end }, text, secrets)
      if (value !== undefined)
        replace(value.start, value.end, pseudonymToken(text.slice(value.start, value.end), secrets))
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const isAbout = isSecret && isAboutSecret(container, text, at)
      const isEntry = code === OPEN_OBJECT && !isAbout && isEntryOf(container, text, at)
      container = containerOf(code === OPEN_OBJECT, isSecret && !isEntry && !isAbout, container, at, isEntry)
      if (mayMark && container.isObject && marksSecret(text, at)) container.isMarked = true
      nest.push(container)
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const closed = nest.pop()
      if (closed !== undefined && closed.hidden.length > 0)
        for (const start of wordsIn(closed, text, at, budget)) edits.delete(start)
      const { isKey = false, privates = [] } = closed ?? {}
      if (isKey)
        for (const { start, end } of privates)
          replace(start, end, pseudonymToken(text.slice(start, end), secrets))
      container = nest.at(-1)
    } else if (code === COMMA && container !== undefined) {
      container.awaitsName = container.isObject
      container.column++
      container.memberIsSecret = container.isSecret
      container.memberKind = container.isObject ? 'harmless' : container.kind
    } else if ((isSecret || hasPatterns) && isNumberStart(code)) {
      NUMBER.lastIndex = at
      const [token = ''] = NUMBER.exec(text) ?? []
      const isHidden =
        isSecret && !(container !== undefined && isCount(container, token, text, at + token.length))
      const redacted = isHidden ? secrets.pseudonymize(token) : redactShapes(token, secrets)
      if (redacted !== token) replace(at, at + token.length, JSON.stringify(redacted))
      at += token.length - 1
    }
  }
  return edits.size === 0 ? text : edited(text, [...edits.values()])
}

function isNumberStart(code: number): boolean {
  return code === MINUS || (code >= 0x30 && code <= 0x39)
}

// `["--password", "…"]`, and `["X-Api-Key", "…"]` as heads have it in a list.
function isAfterName({ isObject, before, of }: Container, token: string, secrets: Secrets): boolean {
  if (
    isObject ||
    of === NAMES ||
    before === undefined ||
    before.length > 62 ||
    !/^"-?-?[A-Za-z][\w.-]+"$/.test(before)
  )
    return false
  const kind = kindOfToken(before, secrets)
  if (kind === 'harmless') return false
  const value = textOf(token)
  if (!looksSecret(kind, value)) return false
  return before.startsWith('"-')
    ? !value.startsWith('-')
    : /\d/.test(value) &&
        !isMadeOfWords(value) &&
        !CONSTANT.test(value) &&
        (looksRandom(value) || (kind === 'secret' && looksCoined(value) && value.length >= 10))
}

function isPublicToken(token: string): boolean {
  const text = token.slice(1, -1)
  return isPublic(text) || (isPlaceholder(text) && !OPEN_TEMPLATE.test(text))
}

// What a template leaves open is none: a password may have such signs.
const OPEN_TEMPLATE = /(?:\$\{|\{\{)(?![^{}]*\})/

function edited(text: string, edits: (Range & { readonly by: string })[]): string {
  const pieces: string[] = []
  let copied = 0
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(copied, start), by)
    copied = end
  }
  return pieces.join('') + text.slice(copied)
}

/** Redacts JSON with one value a line; undefined when a line is not valid JSON. Empty lines stay. */
export function redactJsonLines(text: string, given: Secrets): string | undefined {
  const secrets = ofStream(text, given)
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const redacted = line.trim() === '' ? line : redactJson(line, secrets)
    if (redacted === undefined) return undefined
    lines.push(redacted)
  }
  return lines.join('\n')
}

/** Redacts a text that may itself be JSON or XML, as in a form field or a JSON string. */
export function redactValue(value: string, secrets: Secrets): string {
  if (secrets.isScript === true) return redactText(value, secrets)
  let redacted: string | undefined
  if (looksLikeJson(value)) redacted = redactJson(value, secrets)
  else if (mayBeBase64(value))
    redacted = redactBase64(value, {
      json: (text) => (looksLikeJson(text) ? redactJson(text, secrets) : undefined),
      text: (text) =>
        looksLikeXml(text)
          ? redactXmlValue(text, secrets)
          : mayBeBase64(text)
            ? redactValue(text, secrets)
            : redactText(redactLines(text, secrets), secrets),
      binary: (bytes) => redactBinary(bytes, secrets),
      inflating: secrets.inflating,
    })
  if (redacted !== undefined) return redacted
  if (looksLikeXml(value)) return redactXmlValue(value, secrets)
  if (!value.includes('\n')) return redactText(redactTags(value, secrets), secrets)
  const inLines = inPrograms(secrets)
  return redactText(redactTags(redactLines(value, inLines), inLines), inLines)
}

/** Redacts XML, what is in its texts, and XML in these, but none in that again. */
export function redactXmlValue(xml: string, secrets: Secrets): string {
  return redactXml(xml, secrets, (inner) =>
    looksLikeXml(inner)
      ? redactXml(inner, secrets, (text) => redactText(text, secrets))
      : redactValue(inner, secrets),
  )
}

/** Whether a text is XML, and not a page, in which elements are named for what they look like. */
export function looksLikeXml(text: string): boolean {
  return (
    /^\s*<[?!A-Za-z][^<]*</.test(text) &&
    !/<(?:!doctype html|html|head|body|div|p|a(?=\s[^<>]{0,400}href)|span|li|ul|br|h\d|img|table)\b/i.test(
      text.slice(0, 2000),
    )
  )
}

/** Whether a text starts like a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

// A byte order mark before JSON is forbidden and common (RFC 8259, section 8.1); `trimStart` takes it off.
function isJson(text: string): boolean {
  try {
    JSON.parse(text.trimStart())
    return true
  } catch {
    return false
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

function isSecretCell(kind: NameKind, token: string): boolean {
  return kind !== 'harmless' && looksSecret(kind, textOf(token))
}

function pseudonymToken(token: string, { pseudonymize }: Secrets): string {
  return JSON.stringify(pseudonymize(textOf(token)))
}

// What is shorter, with its quotes, holds neither a secret by its form nor a name with a value.
const MIN_TOKEN = 10

function mayHoldLong(token: string): boolean {
  return token.length >= MIN_TOKEN && mayHoldShape(token)
}

function redactToken(token: string, mayHold: (token: string) => boolean, secrets: Secrets): string {
  if (!WORTH_READING.test(token) && !mayHold(token) && !isTextInBase64(token.slice(1, -1))) return token
  const value = textOf(token)
  const redacted = redactValue(value, secrets)
  return redacted === value ? token : JSON.stringify(redacted)
}
