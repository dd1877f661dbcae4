import type { Readable } from 'node:stream'
import { bodyKindOf, chooseMediaType } from './choose-media-type.ts'
import { mediaParameters, essenceOf, type MediaKind } from '../../media-type.ts'
import type { MediaType, RequestBody } from '../../engine/operation.ts'
import { MediaTypeUnsupported } from '../../errors.ts'
import { contentOf, readingError } from '../../http/content-codings.ts'
import { readBytes, type BodyKeeper, type ReceivedBody } from '../../http/read-body.ts'
import { readFile, type ReceivedFile, readParts, type ReceivedPart } from '../../http/read-multipart.ts'
import { parseJsonText } from '../../engine/json-text.ts'
import { remembered } from '../../engine/lazy.ts'
import { alternativesOf } from '../../engine/schema/coerce.ts'
import { createResolver, typesOf, type Schema } from '../../engine/schema/schema.ts'
import { createFormReader, createPartsReader } from './form-body.ts'
import { createTreeReaders } from './text-tree.ts'
import { createXmlReader } from './xml.ts'

/** A body as it came off the wire, decoded to texts but not yet read by its model. */
type ReceivedContent = string | readonly ReceivedPart[] | ReceivedFile

/**
 * Reads the body of a described operation by its media type, and as its model says; `undefined` when it has none.
 * @param body its bytes, where they do not come from the request itself
 * @throws MediaTypeUnsupported when the description has no such type
 * @throws InputInvalid when the body is not what its type says; BodyTooLarge when it is over its limit
 */
export async function readOperationBody(
  request: ReceivedBody,
  { content }: RequestBody,
  body: Readable = request,
  keeper?: BodyKeeper,
): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (body.readableEnded) return (request as { body?: unknown }).body
  const given = request.headers['content-type']
  if (!mayHaveBody(request) && given === undefined) return undefined
  const chosen = chooseMediaType(content, given)
  if (chosen === undefined) {
    if (!mayHaveBody(request)) return undefined
    throw new MediaTypeUnsupported(`The content type '${given ?? ''}'`, [...content.keys()])
  }
  const media = content.get(chosen.range) ?? UNKNOWN
  try {
    const received = await readContent(request, body, chosen.type, { media, keeper })
    return received === undefined ? undefined : decodeBody(media, chosen.type, received)
  } catch (error) {
    throw readingError(error, request)
  }
}

async function readContent(
  request: ReceivedBody,
  body: Readable,
  type: string,
  { media, keeper }: { readonly media: MediaType; readonly keeper: BodyKeeper | undefined },
): Promise<ReceivedContent | undefined> {
  const kind = bodyKindOf(type, media)
  if (kind === 'parts') return mayHaveBody(request) ? readParts(contentOf(request, body), type) : undefined
  const content = contentOf(request, body)
  // What is encoded is sent again as it was, or not at all.
  const kept = content === body ? keeper : undefined
  if (kind === 'binary') return readFile(content, { contentType: essenceOf(type) }, undefined, kept)
  const text = readText(await readBytes(content, undefined, kept), type)
  // An empty text, or a form without fields, is one only where it is said to be.
  const isMeant = request.headers['content-type'] !== undefined && (kind === 'text' || kind === 'form')
  return text === '' && !isMeant ? undefined : text
}

const UNKNOWN: MediaType = { model: undefined, examples: [] }

// RFC 9112, section 6.3.
function mayHaveBody({ headers }: ReceivedBody): boolean {
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

type Decode = (content: ReceivedContent) => unknown

// Reading by a model is prepared once for each media type of a description, when a body of it first comes.
const decodersOf = remembered(
  (media: MediaType) => remembered((kind: ReturnType<typeof bodyKindOf>) => createDecoder(media, kind)),
  new WeakMap(),
)

/**
 * A body's value: read by the model where it is written in texts, and a description of itself where it is a file.
 * @param type the type the body is read as
 * @throws InputInvalid when the body is not what its type says
 */
export function decodeBody(media: MediaType, type: string, content: ReceivedContent): unknown {
  return decodersOf(media)(bodyKindOf(type, media))(content)
}

function createDecoder(
  { model = {}, encoding = {} }: MediaType,
  kind: ReturnType<typeof bodyKindOf>,
): Decode {
  if (kind === 'parts') {
    const read = createPartsReader(model, encoding)
    return (content) => read(content as readonly ReceivedPart[])
  }
  const readText = createTextDecoder(model, encoding, kind)
  return (content) => (typeof content === 'string' ? readText(content) : content)
}

function createTextDecoder(
  model: Schema,
  encoding: NonNullable<MediaType['encoding']>,
  kind: MediaKind,
): (text: string) => unknown {
  if (kind === 'json') return (text) => parseJsonText(text, ['body'])
  if (kind === 'json-lines') return readLines
  const resolve = createResolver(model)
  // A form and XML that are to be a text are left as they are.
  const isText = alternativesOf(model, resolve).every((form) => typesOf(form).join() === 'string')
  if (kind === 'form' && !isText) return createFormReader(model, encoding)
  if (kind === 'xml' && !isText) return createXmlReader(model)
  return createTreeReaders(resolve)(model).read
}

// What a record of a JSON sequence begins with (RFC 7464).
const RECORD = '\u001e'

function readLines(text: string): unknown {
  const lines = text
    .replaceAll(RECORD, '\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  return lines.map((line, index) => parseJsonText(line, ['body', index]))
}
