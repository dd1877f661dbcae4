import { isUtf8 } from 'node:buffer'
import { BINARY, type Inflating, isGzip, redactGzip } from './redact-gzip.ts'

// What is not in a text is looked for: V8 runs out of stack where a pattern takes megabytes of letters.
const BEGINS_JSON = /^(?:eyJ|ewo|ew0K|eyA)/
const NOT_OF_JSON = /[^\w+/-]/
const NOT_OF_TEXT = /[^A-Za-z0-9+/\r\n]|\r(?!\n)|\n(?=\r?\n|$)/
const NOT_OF_URLS = /[^\w-]/
const LEAST = 16
const LONG_LINE = /[^\r\n]{77}/

/** Whether it is all letters of one: what is shorter holds no secret and its name. */
export function mayBeBase64(value: string): boolean {
  return value.length >= LEAST && !/[^\w+/=\r\n-]/.test(value)
}

/** What is shorter, and not of JSON, is a word more often. */
export const MIN_OF_TEXT = 24
const GROUP = 4
const GROUPS = 5
const GZIP = 'H4sI'
/** The letters that a group begins with whose first byte is of ASCII. */
export const OF_ASCII = new Uint8Array(256)
for (const code of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef')) OF_ASCII[code] = 1

/** Whether a text is base64 of a text or of gzip, by its beginning. Few others have to be decoded to know it. */
export function isTextInBase64(value: string): boolean {
  if (value.length < MIN_OF_TEXT) return false
  if (!value.startsWith(GZIP))
    for (let at = 0; at < GROUP * GROUPS; at += GROUP) if (OF_ASCII[value.charCodeAt(at)] !== 1) return false
  if (!mayBeBase64(value)) return false
  const bytes = Buffer.from(value.slice(0, MIN_OF_TEXT), 'base64')
  return isGzip(bytes) || !/[^\t\n\r\x20-\x7e]/.test(bytes.toString('latin1'))
}

/** Whether what is in base64 begins as a text or gzip does, unlike most images and fonts. */
export function beginsAsText(value: string): boolean {
  const bytes = Buffer.from(value.slice(0, MIN_OF_TEXT), 'base64')
  return isGzip(bytes) || !BINARY.test(bytes.toString('latin1'))
}

/** What hides the secrets of texts by what they are. */
export interface RedactDecoded {
  /** Of JSON; `undefined` for other texts. */
  readonly json: (text: string) => string | undefined
  readonly text: (text: string) => string
  /** Of other bytes, each a character of ISO 8859-1. */
  readonly binary?: (bytes: string) => string
  readonly inflating: Inflating | undefined
}

/** Redacts what a text in base64 is; `undefined` where nothing is hidden. */
export function redactBase64(value: string, by: RedactDecoded): string | undefined {
  const isOfJson = BEGINS_JSON.test(value) && !NOT_OF_JSON.test(value.replace(/={1,2}$/, ''))
  if (!isOfJson && ((by.binary === undefined && !beginsAsText(value)) || !isOfText(value))) return undefined
  const redacted = redactBytes(Buffer.from(value, 'base64'), isOfJson, by)
  if (redacted === undefined) return undefined
  const isOfUrls = /[-_]/.test(value)
  const encoded = redacted.toString(isOfUrls ? 'base64url' : 'base64')
  const padded = isOfUrls || /[=\r\n]|^(?:.{4})*$/.test(value) ? encoded : encoded.replace(/={1,2}$/, '')
  const [line = '', newline = ''] = /^([^\r\n]+)(\r?\n)(?=.)/.exec(value)?.slice(1) ?? []
  const lines =
    line === '' ? padded : padded.replaceAll(new RegExp(`.{${line.length}}(?=.)`, 'g'), `$&${newline}`)
  return value.endsWith('\n') ? `${lines}${value.endsWith('\r\n') ? '\r\n' : '\n'}` : lines
}

function redactBytes(bytes: Buffer, isOfJson: boolean, by: RedactDecoded): Buffer | undefined {
  const redact = (text: string): string => by.json(text) ?? by.text(text)
  if (isGzip(bytes)) return redactGzip(bytes, redact, by.inflating)
  const text = bytes.toString()
  if (isOfJson) return changed(by.json(text), text)
  if (isUtf8(bytes) && !BINARY.test(text)) return changed(redact(text), text)
  const raw = bytes.toString('latin1')
  const redacted = by.binary?.(raw) ?? raw
  return redacted === raw ? undefined : Buffer.from(redacted, 'latin1')
}

function changed(redacted: string | undefined, text: string): Buffer | undefined {
  return redacted === undefined || redacted === text ? undefined : Buffer.from(redacted)
}

// As APIs give files: one line, or lines of the same length; or as URLs have it.
function isOfText(value: string): boolean {
  const letters = value.replace(/={0,2}\r?\n?$/, '')
  if (/[-_]/.test(letters)) return !NOT_OF_URLS.test(letters) && isTextInBase64(value)
  if (NOT_OF_TEXT.test(letters)) return false
  const end = letters.indexOf('\n')
  return end === -1 ? letters.length >= LEAST : end >= LEAST && !LONG_LINE.test(letters)
}
