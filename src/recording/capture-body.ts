import type { TakenBody } from './body-sink.ts'
import { decode, decodeChunks, TOO_LARGE } from './decode.ts'
import { headerValue, type BodyCapture, type HeaderPairs } from './har.ts'
import { kindOf } from './media.ts'
import { UNCHECKED } from './redact-body.ts'
import type { BodyChunk } from './timeline.ts'

/** How a body came by. */
export interface Arrival {
  /** When its bytes came. */
  readonly arrived?: readonly BodyChunk[] | undefined
  /** Whether its end is missing. */
  readonly isPartial?: boolean | undefined
}

/** Decodes a body that came by. One that redaction must look into and cannot is left out. */
export async function captureBody(
  taken: TakenBody,
  headers: HeaderPairs,
  { arrived = [], isPartial = false }: Arrival = {},
): Promise<BodyCapture> {
  const { wireSize } = taken
  const kind = kindOf(headerValue(headers, 'content-type'))
  const isTold = wireSize > 0 && (kind === 'events' || arrived.length > 1)
  const asIs = { wireSize, ...(isTold && { chunks: arrived }) }
  if ('sha256' in taken) return { ...asIs, sha256: taken.sha256 }
  const { bytes } = taken
  if (bytes === undefined) return { wireSize, omitted: `${TOO_LARGE}, ${UNCHECKED}` }
  const coding = headerValue(headers, 'content-encoding')
  const decoded = await decode(bytes, coding, isPartial)
  if ('problem' in decoded)
    return kind === 'binary' ? { ...asIs, bytes } : { wireSize, omitted: `${decoded.problem}, ${UNCHECKED}` }
  if (!isTold || decoded.codings === undefined) return { ...asIs, ...decoded }
  return { wireSize, ...decoded, chunks: await decodeChunks(bytes, coding, arrived) }
}
