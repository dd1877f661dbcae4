import type { IncomingMessage } from 'node:http'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { InputInvalid, MediaTypeUnsupported } from '../errors.ts'

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * A request's content without its content encoding (RFC 9110, section 8.4); reading it fails with InputInvalid where
 * it is not what its encoding says.
 * @throws MediaTypeUnsupported for an encoding that is not known, or more than one
 */
export function contentOf(request: IncomingMessage): Readable {
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase().replace(/^x-/, '')
  if (coding === '' || coding === 'identity') return request
  const create = DECODERS.get(coding)
  if (create === undefined) {
    const known = [...DECODERS.keys()]
    throw new MediaTypeUnsupported(`The content encoding '${coding}'`, known, 'accept-encoding')
  }
  const content = create()
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
