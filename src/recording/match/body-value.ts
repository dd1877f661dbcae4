import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { text as textOf } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { readForm } from '../../engine/bracket-names.ts'
import { jsonOf } from '../../data-files/limits.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { canonicalText } from '../../engine/random.ts'
import { beginsAsObject, contentKindOf, essenceOf, mediaParameters } from '../../media-type.ts'
import { byName } from '../../grouping.ts'
import { canonicalXml } from '../../shape/xml-tree.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'
import { AS_IT_IS, type Settle, SETTLED, withoutPointers } from './ignored.ts'
import type { MatchRules } from './match.ts'

/** What a body says, without secrets and without what is ignored. */
export type BodyValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'omitted' }
  | { readonly kind: 'json' | 'form' | 'parts'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: number; readonly sha256: string }

/** Reads a body by its `Content-Type`. What redaction cannot look into counts as left out. */
export async function readBodyValue(
  bytes: Buffer,
  contentType: string,
  rules: MatchRules,
  redactor: Redactor,
): Promise<BodyValue> {
  if (bytes.length === 0 || rules.ignoresBody) return { kind: 'none' }
  const isText = isUtf8(bytes)
  if (contentKindOf(contentType) === 'binary' && !isText)
    return { kind: 'bytes', bytes: bytes.length, sha256: hash('sha256', bytes) }
  const redacted = redactor.body(bytes.toString(isText ? 'utf8' : 'latin1'), contentType)
  if ('omitted' in redacted) return { kind: 'omitted' }
  const text = withoutPseudonyms(redacted.text)
  const isMultipart = contentKindOf(contentType) === 'multipart'
  const body = isMultipart ? await readMultipart(text, contentType) : readText(text, contentType)
  const call =
    rules.ignoresCallIds && body.kind === 'json' ? { ...body, value: withoutIds(body.value) } : body
  return rules.withSettled(bytes.length, (settle) => settleBody(call, rules, settle))
}

/** A text that is equal for bodies that say the same, and for no others. */
export function formOf(body: BodyValue): string {
  if (body.kind === 'none') return ''
  if (body.kind === 'omitted') return OMITTED
  if (body.kind === 'text') return body.text
  if (body.kind === 'bytes') return body.sha256
  return body.kind === 'json' ? canonicalText(body.value) : `${body.kind} ${canonicalText(body.value)}`
}

/** The form of a body that was left out of a recording. */
export const OMITTED = '\0omitted'

function readText(text: string, contentType: string): BodyValue {
  const kind = contentKindOf(contentType)
  if (kind === 'form' && !beginsAsObject(text))
    return { kind: 'form', value: byName(new URLSearchParams(text)) }
  if (kind === 'xml') return { kind: 'text', text: canonicalXml(text) ?? text }
  const one = readJson(text)
  const value = one === undefined && kind === 'json-lines' ? readJsonLines(text) : one
  return value === undefined ? { kind: 'text', text } : { kind: 'json', value }
}

// A call has an id or is a notification (JSON-RPC 2.0, section 4).
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  return isObject(value) && typeof value['jsonrpc'] === 'string' && 'id' in value && 'method' in value
    ? { ...value, id: SETTLED }
    : value
}

function settleBody(body: BodyValue, { pointers }: MatchRules, settle: Settle): BodyValue {
  if (pointers.length === 0 && settle === AS_IT_IS) return body
  if (body.kind === 'text') return { kind: 'text', text: settle(body.text) }
  if (!('value' in body)) return body
  return { kind: body.kind, value: settleValue(withoutPointers(body.value, pointers), settle) }
}

function settleValue(value: unknown, settle: Settle): unknown {
  if (typeof value === 'string') return settle(value)
  if (typeof value === 'number') {
    const text = String(value)
    const settled = settle(text)
    return settled === text ? value : settled
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: unknown) => settleValue(item, settle))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [settle(name), settleValue(part, settle)]),
  )
}

function readJson(text: string): unknown {
  return jsonOf(/\d{16}/.test(text) ? withLongNumbers(text) : text)
}

// Ids may be numbers that differ in digits that JavaScript does not keep; here they become texts.
function withLongNumbers(text: string): string {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\d.])-?\d{16,}(?![\d.eE])/g
  return text.replace(tokens, (token) =>
    token.startsWith('"') || BigInt(token) === BigInt(Number(token)) ? token : `"number ${token}"`,
  )
}

function readJsonLines(text: string): unknown {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readJson)
  return values.includes(undefined) ? undefined : values
}

/** What a multipart text says, whatever its boundary is: a form's fields by their names, or what it is as a text. */
export async function readMultipart(text: string, contentType: string): Promise<BodyValue> {
  const boundary = mediaParameters(contentType).get('boundary')
  if (boundary === undefined) return { kind: 'text', text }
  const parts = essenceOf(contentType) === 'multipart/form-data' ? await readParts(text, boundary) : []
  if (parts.length > 0) return { kind: 'parts', value: byName(parts) }
  return { kind: 'text', text: text.replaceAll(boundary, 'boundary') }
}

// None where it is malformed.
async function readParts(content: string, boundary: string): Promise<readonly NamedValue[]> {
  const { Busboy } = await import('@fastify/busboy')
  const parts: Promise<NamedValue>[] = []
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits: { fieldSize: Infinity },
  })
  parser.on('field', (name: string | undefined, value) => parts.push(Promise.resolve([name ?? '', value])))
  parser.on('file', (name: string | undefined, file, filename, _encoding, type) =>
    parts.push(textOf(file).then((text): NamedValue => [name ?? '', { filename, type, content: text }])),
  )
  parser.end(content)
  return finished(parser).then(
    () => Promise.all(parts),
    () => [],
  )
}

type NamedValue = readonly [string, unknown]

/** A body as a JSON value: JSON as it is, the fields of a form by name; `undefined` for all others. */
export function jsonBodyOf(bytes: Buffer, contentType: string): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.toString()
  if (contentType !== '' && contentKindOf(contentType) === 'form' && !beginsAsObject(text))
    return readForm(text)
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
