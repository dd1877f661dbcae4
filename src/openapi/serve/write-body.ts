import type { WrittenContent } from '../../message.ts'
import type { SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { type MediaKind, mediaKindOf } from '../../media-type.ts'
import { writeXml } from './xml.ts'

type Write = (value: unknown, model: SchemaOrBoolean, type: string) => string | Uint8Array

const WRITERS: Readonly<Record<MediaKind, Write>> = {
  json: (value) => JSON.stringify(value),
  xml: (value, model) => (typeof value === 'string' ? value : writeXml(value, model)),
  form: (value) => (isObject(value) ? new URLSearchParams(formEntries(value)).toString() : plainText(value)),
  'json-lines': (value, _model, type) => {
    if (typeof value === 'string') return value
    // RFC 7464: a record begins with a separator.
    const before = /json-seq\b/.test(type) ? '\u001e' : ''
    return itemsOf(value)
      .map((item) => `${before}${JSON.stringify(item)}\n`)
      .join('')
  },
  events: (value) => (typeof value === 'string' ? value : itemsOf(value).map(eventText).join('')),
  text: plainText,
  multipart: bytesOf,
  binary: bytesOf,
}

/** Makes what writes values of a model in a media type. */
export function createWriter(type: string, model: SchemaOrBoolean): (value: unknown) => WrittenContent {
  const write = WRITERS[mediaKindOf(type)]
  return (value) => ({ type, data: write(value, model, type) })
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function formEntries(value: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(value).flatMap(([name, field]) =>
    itemsOf(field).map((each): [string, string] => [name, plainText(each ?? '')]),
  )
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

const EVENT_FIELDS = ['event', 'id', 'retry'] as const

// An object that has an event's own fields is one; any other value is the data of one (HTML, section 9.2).
function eventText(item: unknown): string {
  const isEvent = isObject(item) && Object.hasOwn(item, 'data')
  const fields = EVENT_FIELDS.flatMap((name) =>
    isEvent && isScalar(item[name]) ? [`${name}: ${String(item[name]).replace(/[\r\n]+/g, ' ')}`] : [],
  )
  const data = plainText(isEvent ? item['data'] : item).split(/\r\n|\r|\n/)
  return [...fields, ...data.map((line) => `data: ${line}`)].map((line) => `${line}\n`).join('') + '\n'
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

// Bytes that a description holds are base64 or, where they are not, the text itself.
function bytesOf(value: unknown, model: SchemaOrBoolean): Uint8Array {
  const text = plainText(value)
  const isBase64 =
    isObject(model) &&
    (model['contentEncoding'] === 'base64' || model['format'] === 'byte') &&
    BASE64.test(text)
  return Buffer.from(text, isBase64 ? 'base64' : 'utf8')
}

const BASE64 = /^[\w+/-]*={0,2}$/
