import { isUtf8 } from 'node:buffer'
import { decodeParameter } from './parameters.ts'
import { redactLines } from './redact-lines.ts'
import { redactText } from './redact-text.ts'
import { keepingLengths, type Secrets } from './secrets.ts'

type RedactedBody = { readonly text: string } | { readonly omitted: string }
type RedactBody = (text: string, contentType: string, secrets: Secrets) => RedactedBody

/** Parts within parts: each is read as often as it is nested. */
const MAX_NESTED = 10
let nested = 0

/**
 * Hides the secrets of the parts of a multipart body, each by its own type (RFC 2046, section 5.1; RFC 7578, section 4).
 * A body that cannot be separated is left out.
 */
export function redactMultipart(
  text: string,
  secrets: Secrets,
  contentType: string,
  redactBody: RedactBody,
): RedactedBody {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  // A delimiter begins its line.
  const parts = `\n${text}`.split(`\n--${quoted ?? plain ?? ''}`)
  if ((quoted ?? plain) === undefined || parts.length < 2 || nested === MAX_NESTED) {
    return { omitted: 'in parts that could not be separated, so it could not be checked for secrets' }
  }
  nested++
  try {
    const own = OF_UPLOAD.test(text) ? withoutKeys(secrets) : secrets
    const redacted = parts.map((part) => redactPart(part, own, redactBody))
    return { text: redacted.join(`\n--${quoted ?? plain}`).slice(1) }
  } finally {
    nested--
  }
}

/** A form that uploads to a store by a signed policy, whose `key` is what the file is called there. */
const OF_UPLOAD = /;\s*name="?(?:policy|x-(?:amz|goog)-(?:signature|credential))"?/i

function withoutKeys(secrets: Secrets): Secrets {
  const { hides, hidesParameter } = secrets
  return {
    ...secrets,
    hidesParameter: (name, value) => (name === 'key' ? hides : hidesParameter)(name, value),
  }
}

function redactPart(part: string, secrets: Secrets, redactBody: RedactBody): string {
  const blank = /\r?\n\r?\n/.exec(part)
  if (blank === null) return part
  const end = blank.index + blank[0].length
  const head = redactText(redactLines(part.slice(0, end), secrets), secrets)
  const rest = part.slice(end)
  const lineEnd = /\r$/.exec(rest)?.[0] ?? ''
  const value = rest.slice(0, rest.length - lineEnd.length)
  const own = /^content-length:/im.test(head) ? keepingLengths(secrets) : secrets
  const name = nameOfPart(head)
  const [, type = ''] = /^content-type:(.*)$/im.exec(head) ?? []
  const redact = (content: string): string => {
    if (own.hidesParameter(name, content)) return own.pseudonymize(content)
    const redacted = redactBody(content, type.trim(), own)
    return 'omitted' in redacted ? own.pseudonymize(content) : redacted.text
  }
  const [, coding = ''] = /^content-transfer-encoding:\s{0,9}([\w-]{1,40})/im.exec(head) ?? []
  const through = Object.hasOwn(CODINGS, coding.toLowerCase()) ? CODINGS[coding.toLowerCase()] : undefined
  return `${head}${through === undefined ? redact(value) : through(value, redact)}${lineEnd}`
}

// A name in another character set is percent-encoded behind it (RFC 8187, section 3.2).
function nameOfPart(head: string): string {
  const [, quoted, plain, encoded] =
    /^content-disposition:.*?;\s*name(?:=(?:"([^"]*)"|([^\s;]+))|\*=[\w-]*'[\w-]*'([^\s;]+))/im.exec(head) ??
    []
  return quoted ?? plain ?? decodeParameter(encoded ?? '')
}

type Through = (value: string, redact: (content: string) => string) => string

/** How what is in a part is written so that mail can carry it (RFC 2045, section 6). */
const CODINGS: Readonly<Record<string, Through>> = {
  base64: through(
    (value) => Buffer.from(value, 'base64'),
    (bytes) => bytes.toString('base64').replaceAll(/.{76}(?=.)/g, '$&\r\n'),
  ),
  'quoted-printable': through(fromQuotedPrintable, toQuotedPrintable),
}

function through(decode: (value: string) => Buffer, encode: (bytes: Buffer) => string): Through {
  return (value, redact) => {
    const bytes = decode(value)
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
    const content = bytes.toString(encoding)
    const redacted = redact(content)
    return redacted === content ? value : encode(Buffer.from(redacted, encoding))
  }
}

function fromQuotedPrintable(value: string): Buffer {
  const text = value
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
  return Buffer.from(text, 'latin1')
}

function toQuotedPrintable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /[^\t\r\n\x20-\x3c\x3e-\x7e]/g,
      (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replaceAll(/[^\r\n]{70}(?:=[\dA-F]{2})?(?=[^\r\n])/g, '$&=\r\n')
}
