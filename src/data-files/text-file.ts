import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Texts up to this length are kept as they are. */
const MAX_PLAIN = 16_000_000
const PART = 1_000_000

/** A file, read: its text without a byte order mark, which names lines long after its content was read. */
export interface TextFile {
  readonly file: string
  text(this: void): string
  /** Whether it takes more memory than is worth a moment's work. */
  readonly isLong: boolean
  /** Keeps the text in less memory, where it is long and nobody needs it for now. */
  pack(this: void): void
}

export function textFile(file: string, text: string): TextFile {
  let kept: string | readonly Buffer[] = text
  const isLong = text.length > MAX_PLAIN
  return {
    file,
    text: () => (typeof kept === 'string' ? kept : unpacked(kept)),
    isLong,
    pack() {
      if (isLong && typeof kept === 'string') kept = packed(kept)
    },
  }
}

// As UTF-16, since a part may end within a pair of surrogates.
function packed(text: string): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < text.length; at += PART)
    parts.push(deflateRawSync(Buffer.from(text.slice(at, at + PART), 'utf16le'), { level: 1 }))
  return parts
}

function unpacked(parts: readonly Buffer[]): string {
  return parts.map((part) => inflateRawSync(part).toString('utf16le')).join('')
}
