import type { IncomingMessage } from 'node:http'
import { bodyKindOf, chooseMediaType } from './choose-media-type.ts'
import { mediaParameters, essenceOf } from '../../media-type.ts'
import { decodeBody } from './decode-body.ts'
import type { MediaType, RequestBody } from '../../engine/operation.ts'
import type { ReceivedContent } from './received-body.ts'
import { MediaTypeUnsupported } from '../../errors.ts'
import { contentOf, readingError } from '../../http/content-decoding.ts'
import { readBytes } from '../../http/read-body.ts'
import { readFile } from '../../http/read-file.ts'
import { readParts } from '../../http/read-multipart.ts'

/**
 * Reads the body of a described operation by its media type, and as its model says; `undefined` when it has none.
 * @throws MediaTypeUnsupported when the description has no such type
 * @throws InputInvalid when the body is not what its type says; BodyTooLarge when it is over its limit
 */
export async function readOperationBody(
  request: IncomingMessage,
  { content }: RequestBody,
): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (request.readableEnded) return (request as { body?: unknown }).body
  const given = request.headers['content-type']
  if (!mayHaveBody(request) && given === undefined) return undefined
  const chosen = chooseMediaType(content, given)
  if (chosen === undefined) {
    if (!mayHaveBody(request)) return undefined
    throw new MediaTypeUnsupported(`The content type '${given ?? ''}'`, [...content.keys()])
  }
  const media = content.get(chosen.range) ?? UNKNOWN
  try {
    const received = await readContent(request, chosen.type, media)
    return received === undefined ? undefined : decodeBody(media, chosen.type, received)
  } catch (error) {
    throw readingError(error, request)
  }
}

async function readContent(
  request: IncomingMessage,
  type: string,
  media: MediaType,
): Promise<ReceivedContent | undefined> {
  const kind = bodyKindOf(type, media)
  if (kind === 'parts') return mayHaveBody(request) ? readParts(contentOf(request), type) : undefined
  if (kind === 'binary') return readFile(contentOf(request), { contentType: essenceOf(type) })
  const text = readText(await readBytes(contentOf(request)), type)
  // An empty text, or a form without fields, is one only where it is said to be.
  const isMeant = request.headers['content-type'] !== undefined && (kind === 'text' || kind === 'form')
  return text === '' && !isMeant ? undefined : text
}

const UNKNOWN: MediaType = { model: undefined, examples: [] }

// RFC 9112, section 6.3.
function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function readText(bytes: Buffer, type: string): string {
  const charset = mediaParameters(type).get('charset') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch (cause) {
    const accepted = [`${essenceOf(type)}; charset=utf-8`]
    throw new MediaTypeUnsupported(`The charset '${charset}'`, accepted, 'accept', { cause })
  }
}
