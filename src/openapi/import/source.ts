import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Source } from './node.ts'

/** Texts up to this length are kept as they are. */
const MAX_PLAIN = 16_000_000
const PART = 1_000_000

/** A file of a description, by its text and what was read of it. */
export function createSource(file: string, text: string, read: Pick<Source, 'format' | 'value'>): Source {
  let kept: string | readonly Buffer[] = text
  return {
    file,
    text: () => (typeof kept === 'string' ? kept : unpacked(kept)),
    isLong: text.length > MAX_PLAIN,
    pack() {
      if (typeof kept === 'string' && kept.length > MAX_PLAIN) kept = packed(kept)
    },
    hasNames: /\$(anchor|dynamicAnchor|id)\b/.test(text),
    ...read,
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
