import type { SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { JSON_TYPE, type Header, type MediaType, type Response } from './document.ts'

/** One reason for a route to answer with a status. */
export interface Reason {
  readonly status: number
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  /** Model of the body, or its schema in the document; absent for an answer without one. */
  readonly body?: SchemaOrBoolean | undefined
  readonly example?: unknown
  /** The media type of the body. Default: JSON. */
  readonly type?: string | undefined
}

/** The responses of an operation by status, each saying all its reasons. */
export function joinResponses(reasons: readonly Reason[]): Record<string, Response> {
  const statuses = new Set(reasons.map(({ status }) => status))
  const join = (status: number): Response =>
    joinReasons(
      status,
      reasons.filter((each) => each.status === status),
    )
  return Object.fromEntries([...statuses].map((status) => [String(status), join(status)]))
}

// RFC 9110, sections 6.4.1 and 15.3.6.
function hasContent(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function joinReasons(status: number, reasons: readonly Reason[]): Response {
  const headers = Object.assign({}, ...reasons.map((reason) => reason.headers)) as Record<string, Header>
  const withBody = hasContent(status) ? reasons.filter(({ body }) => body !== undefined) : []
  return {
    description: [...new Set(reasons.map(({ description }) => description))].join('; '),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(withBody.length > 0 && { content: contentOf(withBody) }),
  }
}

function contentOf(reasons: readonly Reason[]): Record<string, MediaType> {
  const types = new Set(reasons.map(({ type = JSON_TYPE }) => type))
  const ofType = (type: string): Reason[] => reasons.filter((each) => (each.type ?? JSON_TYPE) === type)
  return Object.fromEntries([...types].map((type) => [type, joinBodies(ofType(type))]))
}

function joinBodies(reasons: readonly Reason[]): MediaType {
  const schemas = distinct(reasons.map(({ body }) => body as SchemaOrBoolean))
  const shown = reasons.filter(({ example }) => example !== undefined)
  return {
    schema: schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? true),
    ...(distinct(shown.map(({ example }) => example)).length > 1
      ? { examples: name(shown) }
      : showOne(shown)),
  }
}

function showOne([first]: readonly Reason[]): MediaType {
  return first === undefined ? {} : { example: first.example }
}

function name(reasons: readonly Reason[]): NonNullable<MediaType['examples']> {
  const named = new Map<string, { summary: string; value: unknown }>()
  for (const { description, example } of reasons) {
    if ([...named.values()].some(({ value }) => JSON.stringify(value) === JSON.stringify(example))) continue
    const base = description.toLowerCase().replace(/[^a-z\d]+/g, '_')
    const again = [...named.keys()].filter((key) => key === base || key.startsWith(`${base}_`)).length
    named.set(again === 0 ? base : `${base}_${again + 1}`, { summary: description, value: example })
  }
  return Object.fromEntries(named)
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
