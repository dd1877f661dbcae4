import { contentKindOf } from '../../media-type.ts'
import { redactBinary } from './redact-binary.ts'
import { redactBody } from './redact-body.ts'
import { isGzip, redactGzip } from './redact-gzip.ts'
import type { Secrets } from './secrets.ts'

/** What is before UTF-16. */
const [LITTLE_ENDIAN, BIG_ENDIAN] = [0xfffe, 0xfeff]

/** A file may say more of secrets than it has of them. */
const FILE = 'text/markdown'

/** What pictures, sounds, films, fonts and compressed files begin with, each byte a character of ISO 8859-1. */
const MEDIA =
  // eslint-disable-next-line no-control-regex
  /^(?:\x89PNG\r|\xff\xd8\xff|GIF8[79]a|RIFF|....ftyp|OggS|ID3|fLaC|wOF[F2]|\x1a\x45\xdf\xa3|\x28\xb5\x2f\xfd|\xfd7zXZ|7z\xbc\xaf|BZh)/s
/** Of these, what says who made them is at the beginning, or at the end; in groups of base64. */
const [HEAD, TAIL] = [16 * 1024, 4 * 1024]
const MIN_MEDIA = 2 * (HEAD + TAIL)

/** A picture and the like in base64 without the secrets of what is said of it; `undefined` for all else. */
export function redactMedia(base64: string, secrets: Secrets): string | undefined {
  if (base64.length < MIN_MEDIA || base64.length % 4 !== 0) return undefined
  const beginning = Buffer.from(base64.slice(0, 16), 'base64').toString('latin1')
  if (!MEDIA.test(beginning)) return undefined
  const redact = (part: string): string => {
    const text = Buffer.from(part, 'base64').toString('latin1')
    const redacted = redactBinary(text, secrets)
    return redacted === text ? part : Buffer.from(redacted, 'latin1').toString('base64')
  }
  const [head, tail] = [base64.slice(0, HEAD), base64.slice(-TAIL)]
  const [ownHead, ownTail] = [redact(head), redact(tail)]
  return ownHead === head && ownTail === tail ? base64 : ownHead + base64.slice(HEAD, -TAIL) + ownTail
}

/** Bytes that are not valid UTF-8, without their secrets; `undefined` for a text in another character set. */
export function redactBytes(bytes: Buffer, type: string, secrets: Secrets): Buffer | undefined {
  if (isGzip(bytes)) {
    const redact = (text: string): string => {
      const redacted = redactBody(text, FILE, secrets)
      return 'text' in redacted ? redacted.text : secrets.pseudonymize(text)
    }
    return redactGzip(bytes, redact, secrets.inflating) ?? bytes
  }
  const [wide, mark] = wideIn(bytes)
  if (wide !== undefined) {
    const redacted = redactBody(wide, contentKindOf(type) === 'binary' ? '' : type, secrets)
    if (!('text' in redacted) || redacted.text === wide) return 'text' in redacted ? bytes : undefined
    const encoded = Buffer.from(redacted.text, 'utf16le')
    return mark === LITTLE_ENDIAN ? encoded : encoded.swap16()
  }
  if (contentKindOf(type) !== 'binary') return undefined
  const text = bytes.toString('latin1')
  const redacted = redactBinary(text, secrets)
  return redacted === text ? bytes : Buffer.from(redacted, 'latin1')
}

function wideIn(bytes: Buffer): readonly [text?: string, mark?: number] {
  const mark = bytes.length % 2 === 0 && bytes.length > 2 ? bytes.readUInt16BE() : 0
  if (mark === LITTLE_ENDIAN) return [bytes.toString('utf16le'), mark]
  return mark === BIG_ENDIAN ? [Buffer.from(bytes).swap16().toString('utf16le'), mark] : []
}
