import { contentKindOf } from '../../media-type.ts'
import { redactBinary } from './redact-binary.ts'
import { redactBody } from './redact-body.ts'
import { isGzip, redactGzip } from './redact-gzip.ts'
import type { Secrets } from './secrets.ts'

/** What is before UTF-16. */
const [LITTLE_ENDIAN, BIG_ENDIAN] = [0xfffe, 0xfeff]

/** A file may say more of secrets than it has of them. */
const FILE = 'text/markdown'

/** Bytes that are not valid UTF-8, without their secrets; `undefined` for a text in another character set. */
export function redactBytes(bytes: Buffer, type: string, secrets: Secrets): Buffer | undefined {
  if (isGzip(bytes)) {
    const redact = (text: string): string => {
      const redacted = redactBody(text, FILE, secrets)
      return 'text' in redacted ? redacted.text : secrets.pseudonymize(text)
    }
    return redactGzip(bytes, redact) ?? bytes
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
