import { parseJsonText } from '../../engine/json-text.ts'
import { createResolver, type Schema } from '../../engine/schema/schema.ts'
import { bodyKindOf } from './choose-media-type.ts'
import { type MediaKind } from '../../media-type.ts'
import { createFormReader, createPartsReader } from './form-body.ts'
import { createXmlReader } from './read-xml.ts'
import type { MediaType } from '../../engine/operation.ts'
import type { ReceivedContent, ReceivedPart } from './received-body.ts'
import { createTreeReaders } from './text-tree.ts'

type Decode = (content: ReceivedContent) => unknown

// Reading by a model is prepared once for each media type of a description, when a body of it first comes.
const decoders = new WeakMap<MediaType, Map<string, Decode>>()

/**
 * A body's value: read by the model where it is written in texts, and a description of itself where it is a file.
 * @param type the type the body is read as
 * @throws InputInvalid when the body is not what its type says
 */
export function decodeBody(media: MediaType, type: string, content: ReceivedContent): unknown {
  const known = decoders.get(media) ?? new Map<string, Decode>()
  decoders.set(media, known)
  const kind = bodyKindOf(type, media)
  const decode = known.get(kind) ?? createDecoder(media, kind)
  known.set(kind, decode)
  return decode(content)
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
  if (kind === 'form') return createFormReader(model, encoding)
  // XML that is to be a text is left as it is.
  if (kind === 'xml' && model['type'] !== 'string') return createXmlReader(model)
  return createTreeReaders(createResolver(model))(model).read
}

function readLines(text: string): unknown {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.map((line, index) => parseJsonText(line, ['body', index]))
}
