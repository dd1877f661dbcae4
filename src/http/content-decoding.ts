import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { CONTENT_CODINGS } from './content-codings.ts'
import { InputInvalid, MediaTypeUnsupported } from '../errors.ts'

/** What a request's content may be encoded as: those whose decoder is there at once. */
const ACCEPTED = ['gzip', 'deflate', 'br']

/**
 * A request's content without its content encoding (RFC 9110, section 8.4); reading it fails with InputInvalid where
 * it is not what its encoding says.
 * @throws MediaTypeUnsupported for an encoding that is not known, or more than one
 */
export function contentOf(request: IncomingMessage): Readable {
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase().replace(/^x-/, '')
  if (coding === '' || coding === 'identity') return request
  const known = ACCEPTED.includes(coding) ? CONTENT_CODINGS.get(coding) : undefined
  if (known === undefined)
    throw new MediaTypeUnsupported(`The content encoding '${coding}'`, ACCEPTED, 'accept-encoding')
  const content = known.createDecoder() as Transform
  pipeline(request, content, () => undefined)
  return content
}

/** An error of reading a request's content, as the client is told of it. */
export function readingError(error: unknown, request: IncomingMessage): unknown {
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string' || !/^(Z_|ERR_.*BROTLI|ERR__ERROR)/.test(code)) return error
  const msg = `The body is not what its content encoding says: ${(error as Error).message}`
  const input = request.headers['content-encoding']
  return new InputInvalid([{ type: 'content_encoding', loc: ['body'], msg, input }])
}
