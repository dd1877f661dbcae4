import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { canonicalText } from '../../engine/random.ts'
import { kindOf } from '../files/media.ts'
import type { MatchRules } from './match.ts'
import { type Settle, withoutPointers } from './ignored.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'

/** What a body says, without secrets and without what is ignored. */
export type BodyValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'omitted' }
  | { readonly kind: 'json' | 'form' | 'parts'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: number; readonly sha256: string }

const MAX_DEPTH = 500

/** Reads a body by its `Content-Type`. What redaction cannot look into counts as left out. */
export function readBodyValue(
  bytes: Buffer,
  contentType: string,
  rules: MatchRules,
  redactor: Redactor,
): BodyValue {
  if (bytes.length === 0 || rules.ignoresBody) return { kind: 'none' }
  const isText = isUtf8(bytes)
  if (kindOf(contentType) === 'binary' && !isText)
    return { kind: 'bytes', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const redacted = redactor.body(bytes.toString(isText ? 'utf8' : 'latin1'), contentType)
  if ('omitted' in redacted) return { kind: 'omitted' }
  const body = readText(withoutPseudonyms(redacted.text), contentType)
  return rules.withSettled(bytes.length, (settle) => settleBody(body, rules, settle))
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
  const kind = kindOf(contentType)
  const parts = kind === 'multipart' ? readMultipart(text, contentType) : undefined
  if (parts !== undefined) return { kind: 'parts', value: parts }
  // curl sends JSON as a form when it is not told otherwise.
  if (kind === 'form' && !text.trimStart().startsWith('{')) return { kind: 'form', value: readForm(text) }
  const one = readJson(text)
  const value = one === undefined && kind === 'json-lines' ? readJsonLines(text) : one
  return value === undefined ? { kind: 'text', text } : { kind: 'json', value }
}

function settleBody(body: BodyValue, { pointers }: MatchRules, settle: Settle): BodyValue {
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
  try {
    const value: unknown = JSON.parse(/\d{16}/.test(text) ? withLongNumbers(text) : text)
    return isDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

// What is nested without end cannot be gone through.
function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++)
    level = level.flatMap((each) => (each !== null && typeof each === 'object' ? Object.values(each) : []))
  return level.length > 0
}

// Ids may be numbers that differ in digits that JavaScript does not keep; here they become texts.
function withLongNumbers(text: string): string {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16,}(?![\d.eE])/g
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

/** A form's fields by name; those that came several times as lists. */
type FormValue = Readonly<Record<string, unknown>>

/** The fields of an `application/x-www-form-urlencoded` text. */
export function readForm(text: string): FormValue {
  return byName([...new URLSearchParams(text)])
}

/** The fields of a `multipart` text by their names, whatever its boundary is; `undefined` when it has no boundary. */
export function readMultipart(text: string, contentType: string): FormValue | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  // What comes before the first boundary and after the last one is no part (RFC 2046, section 5.1.1).
  const parts = text.split(`--${boundary}`).slice(1, -1)
  return byName(parts.map(readPart))
}

function readPart(part: string): readonly [string, unknown] {
  const blank = /\r?\n\r?\n/.exec(part)
  const head = part.slice(0, blank?.index ?? 0)
  const content = part.slice(blank === null ? 0 : blank.index + blank[0].length).replace(/\r?\n$/, '')
  const name = parameterOf(head, 'name') ?? ''
  const filename = parameterOf(head, 'filename')
  const [, type] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
  return [name, filename === undefined && type === undefined ? content : { filename, type, content }]
}

// RFC 7578, section 4.2
function parameterOf(head: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`^content-disposition:.*?;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'im').exec(head) ?? []
  return quoted ?? plain
}

function byName(pairs: readonly (readonly [string, unknown])[]): FormValue {
  const fields = new Map<string, unknown[]>()
  for (const [name, value] of pairs) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}
