import { isUtf8 } from 'node:buffer'

// What is not in a text is looked for: V8 runs out of stack where a pattern takes megabytes of letters.
const BEGINS_JSON = /^(?:eyJ|ewo|ew0K|eyA)/
const NOT_OF_JSON = /[^\w+/-]/
const NOT_OF_TEXT = /[^A-Za-z0-9+/\r\n]|\r(?!\n)|\n(?=\r?\n|$)/
const LEAST = 16
const LONG_LINE = /[^\r\n]{77}/

// Control characters that no text has.
// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

/** Whether it is all letters of one: what is shorter holds no secret and its name. */
export function mayBeBase64(value: string): boolean {
  return value.length >= LEAST && !/[^\w+/=\r\n-]/.test(value)
}

/** Redacts the text that a text in base64 is; `undefined` where it is none, or holds no secret. */
export function redactBase64(
  value: string,
  redactJson: (text: string) => string | undefined,
  redactLines: (text: string) => string,
): string | undefined {
  const isOfJson = BEGINS_JSON.test(value) && !NOT_OF_JSON.test(value.replace(/={1,2}$/, ''))
  if (!isOfJson && !isOfText(value)) return undefined
  const bytes = Buffer.from(value, 'base64')
  if (!isOfJson && !isUtf8(bytes)) return undefined
  const text = bytes.toString()
  if (!isOfJson && (BINARY.test(text) || !/[\s:={]/.test(text))) return undefined
  const redacted = isOfJson ? redactJson(text) : (redactJson(text) ?? redactLines(text))
  if (redacted === undefined || redacted === text) return undefined
  const encoded = Buffer.from(redacted).toString(/[-_]/.test(value) ? 'base64url' : 'base64')
  const [line = '', newline = ''] = /^([^\r\n]+)(\r?\n)(?=.)/.exec(value)?.slice(1) ?? []
  const lines =
    line === '' ? encoded : encoded.replaceAll(new RegExp(`.{${line.length}}(?=.)`, 'g'), `$&${newline}`)
  return value.endsWith('\n') ? `${lines}${value.endsWith('\r\n') ? '\r\n' : '\n'}` : lines
}

// As APIs give files: one line, or lines of the same length.
function isOfText(value: string): boolean {
  const letters = value.replace(/={0,2}\r?\n?$/, '')
  if (NOT_OF_TEXT.test(letters)) return false
  const end = letters.indexOf('\n')
  return end === -1 ? letters.length >= LEAST : end >= LEAST && !LONG_LINE.test(letters)
}
