import type { TakenBody } from './body-sink.ts'
import { decode, TOO_LARGE } from './decode.ts'
import { headerValue, type BodyCapture, type HeaderPairs } from './har.ts'
import { kindOf } from './media.ts'
import { UNCHECKED } from './redact-body.ts'

/** Decodes a body that came by. One that redaction must look into and cannot is left out. */
export async function captureBody(taken: TakenBody, headers: HeaderPairs): Promise<BodyCapture> {
  const { wireSize } = taken
  if ('sha256' in taken) return taken
  if (taken.bytes === undefined) return { wireSize, omitted: `${TOO_LARGE}, ${UNCHECKED}` }
  const decoded = await decode(taken.bytes, headerValue(headers, 'content-encoding'))
  if (!('problem' in decoded)) return { wireSize, ...decoded }
  if (kindOf(headerValue(headers, 'content-type')) === 'binary') return { wireSize, bytes: taken.bytes }
  return { wireSize, omitted: `${decoded.problem}, ${UNCHECKED}` }
}
