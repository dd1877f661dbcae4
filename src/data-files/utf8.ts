import { isUtf8 } from 'node:buffer'

/**
 * The text of a file, without a byte order mark.
 * @throws Error for bytes that are not UTF-8, with the place of the first one
 */
export function utf8Of(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!isUtf8(bytes)) throw new Error(placeOfOther(bytes, text))
  return text.replace(/^\uFEFF/, '')
}

const REPLACED = '\uFFFD'

// Where decoding put this, the bytes were none of UTF-8, unless they are those of the character itself.
function placeOfOther(bytes: Buffer, text: string): string {
  let [offset, from] = [0, 0]
  for (let at = text.indexOf(REPLACED); at !== -1; at = text.indexOf(REPLACED, from)) {
    offset += Buffer.byteLength(text.slice(from, at))
    if (bytes.readUIntBE(offset, Math.min(3, bytes.length - offset)) !== 0xef_bf_bd) {
      const before = text.slice(0, at).split('\n')
      const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0')
      return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1} is not UTF-8 (byte 0x${byte})`
    }
    offset += REPLACED.length * 3
    from = at + 1
  }
  return 'it is not UTF-8'
}
