import { isUtf8 } from 'node:buffer'

const OF_JSON = /^(?:eyJ|ewo|ew0K|eyA)[\w+/-]+={0,2}$/
// As APIs give files: one line, or lines of the same length.
const OF_TEXT = /^[A-Za-z0-9+/]{16,76}(?:[A-Za-z0-9+/]*|(?:\r?\n[A-Za-z0-9+/]{1,76})*)={0,2}\r?\n?$/
// Control characters that no text has.
// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

/** All that may be one: what is shorter holds no secret and its name. */
export const ONLY_BASE64 = /^[\w+/=\r\n-]{16,}$/

/** Redacts the text that a text in base64 is; `undefined` where it is none, or holds no secret. */
export function redactBase64(
  value: string,
  redactJson: (text: string) => string | undefined,
  redactLines: (text: string) => string,
): string | undefined {
  const isOfJson = OF_JSON.test(value)
  if (!isOfJson && !OF_TEXT.test(value)) return undefined
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
