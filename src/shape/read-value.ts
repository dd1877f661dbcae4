import { contentKindOf } from '../media-type.ts'
import { xmlValue } from './parse-xml.ts'

/**
 * A body as a value whose shape can be observed: JSON of all media types and a form's fields as they are, lines of JSON
 * as a list, XML by elements and attributes, any other text as a text.
 * @param body what it was read as: JSON, fields or a text
 * @returns `undefined` where it is not what its media type says, or there is none
 */
export function readValue(body: unknown, mediaType: string): unknown {
  if (typeof body !== 'string') return body
  const kind = contentKindOf(mediaType)
  try {
    if (kind === 'xml') return xmlValue(body)
    if (kind === 'json-lines') return jsonLines(body)
  } catch {
    return undefined
  }
  return body
}

/** May stand before each line (RFC 7464). */
const RECORD_SEPARATOR = '\u001e'

function jsonLines(text: string): unknown[] {
  const lines = text.split('\n').map((line) => line.replace(RECORD_SEPARATOR, '').trim())
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
}

/** Whether bodies of a media type have parts that can be observed. */
export function isObservable(mediaType: string): boolean {
  const kind = contentKindOf(mediaType)
  return kind === 'json' || kind === 'json-lines' || kind === 'xml'
}
