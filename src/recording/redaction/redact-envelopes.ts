import { isUtf8 } from 'node:buffer'
import { redactJson } from './redact-json.ts'
import { redactLines } from './redact-lines.ts'
import { keepingLengths, type Secrets } from './secrets.ts'

/** Flags and the length of what follows, in four bytes. */
const PREFIX_BYTES = 5
const COMPRESSED = 1
/** Marks the trailers of gRPC-Web, which are lines as in HTTP/1.1. */
const TRAILERS = 0x80

/**
 * Hides the secrets of JSON messages that each have their length before them, as gRPC-Web and the streams of Connect
 * send them (Length-Prefixed-Message of gRPC over HTTP/2, Enveloped-Message of Connect).
 * @returns `undefined` for a text that is not such messages and nothing else, or whose messages are compressed
 */
export function redactEnvelopes(text: string, secrets: Secrets): string | undefined {
  // No message is of 16 MiB.
  if (text.charCodeAt(1) !== 0) return undefined
  const kept = keepingLengths(secrets)
  // A body that is not valid UTF-8 has a character for each byte here.
  return (
    redactEncoded(Buffer.from(text), 'utf8', kept) ??
    redactEncoded(Buffer.from(text, 'latin1'), 'latin1', kept)
  )
}

function redactEncoded(bytes: Buffer, encoding: 'utf8' | 'latin1', kept: Secrets): string | undefined {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + PREFIX_BYTES > bytes.length) return undefined
    const flags = bytes.readUInt8(at)
    const start = at + PREFIX_BYTES
    at = start + bytes.readUInt32BE(at + 1)
    if (at > bytes.length || (flags & COMPRESSED) !== 0) return undefined
    const message = redactMessage(bytes.toString(encoding, start, at), flags, kept)
    if (message === undefined) return undefined
    const prefix = Buffer.of(flags, 0, 0, 0, 0)
    prefix.writeUInt32BE(Buffer.byteLength(message, encoding), 1)
    if (encoding === 'utf8' && !isUtf8(prefix)) return undefined
    parts.push(prefix.toString(encoding), message)
  }
  return parts.join('')
}

function redactMessage(message: string, flags: number, kept: Secrets): string | undefined {
  if (message === '') return message
  return (flags & TRAILERS) === 0 ? redactJson(message, kept) : redactLines(message, kept)
}
