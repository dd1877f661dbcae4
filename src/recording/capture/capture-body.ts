import type { TakenBody } from './body-sink.ts'
import { decode, decodeChunks, isEncoded, TOO_LARGE } from '../files/decode.ts'
import { headerValue, type BodyCapture, type HeaderPairs } from '../files/har.ts'
import { kindOf } from '../files/media.ts'
import { UNCHECKED } from '../redaction/redact-body.ts'
import type { BodyChunk } from './timeline.ts'

/** How a body came by. */
export interface Arrival {
  /** When its bytes came. */
  readonly arrived?: readonly BodyChunk[] | undefined
  /** Whether its end is missing. */
  readonly isPartial?: boolean | undefined
}

/**
 * Decodes a body that came by. One that redaction must look into and cannot is left out. What is not encoded is given
 * back at once.
 */
export function captureBody(
  taken: TakenBody,
  headers: HeaderPairs,
  arrival: Arrival = {},
): BodyCapture | Promise<BodyCapture> {
  const { wireSize } = taken
  const asIs = { wireSize, ...toldChunks(wireSize, headers, arrival) }
  if ('sha256' in taken) return { ...asIs, sha256: taken.sha256 }
  const { bytes } = taken
  if (bytes === undefined) return { wireSize, omitted: `${TOO_LARGE}, ${UNCHECKED}` }
  const coding = headerValue(headers, 'content-encoding')
  return isEncoded(bytes, coding) ? captureDecoded(bytes, coding, headers, arrival) : { ...asIs, bytes }
}

async function captureDecoded(
  bytes: Buffer,
  coding: string,
  headers: HeaderPairs,
  { arrived = [], isPartial = false }: Arrival,
): Promise<BodyCapture> {
  const wireSize = bytes.length
  const told = toldChunks(wireSize, headers, { arrived })
  const decoded = await decode(bytes, coding, isPartial)
  if ('problem' in decoded) {
    const isBinary = kindOf(headerValue(headers, 'content-type')) === 'binary'
    return isBinary ? { wireSize, ...told, bytes } : { wireSize, omitted: `${decoded.problem}, ${UNCHECKED}` }
  }
  if (told === undefined) return { wireSize, ...decoded }
  return { wireSize, ...decoded, chunks: await decodeChunks(bytes, coding, arrived) }
}

// When the bytes came, where that is worth telling.
function toldChunks(
  wireSize: number,
  headers: HeaderPairs,
  { arrived = [] }: Arrival,
): { readonly chunks: readonly BodyChunk[] } | undefined {
  if (wireSize === 0 || arrived.length === 0) return undefined
  const isTold = arrived.length > 1 || kindOf(headerValue(headers, 'content-type')) === 'events'
  return isTold ? { chunks: arrived } : undefined
}
