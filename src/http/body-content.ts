import { Readable } from 'node:stream'
import { parseJsonText } from '../engine/json-text.ts'
import { lazy } from '../engine/lazy.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { BodyTooLarge, SimError } from '../errors.ts'
import { mediaKindOf } from '../media-type.ts'
import type { Place, RoutingContent } from '../routing/condition.ts'
import { selectionOf } from '../routing/selection.ts'
import { elementIn, readXml } from '../shape/parse-xml.ts'
import { contentOf, readingError } from './content-codings.ts'
import { MAX_BODY_BYTES, readBytes, type ReceivedBody, type RewindableBody } from './read-body.ts'
import { readParts } from './read-multipart.ts'

/** A request's body as its route is found by it. */
export interface BodyContent extends RoutingContent {
  /** Why there is nothing to see in it: it is too large, or not what its type says. */
  readonly problem: Error | undefined
}

/**
 * Reads what conditions look at in a body of up to 1 MiB; of a longer one, and of one that cannot be read, none fits.
 * @param body the request's body, of which no more is held than that
 */
export async function readBodyContent(request: ReceivedBody, body: RewindableBody): Promise<BodyContent> {
  // A parent such as Express may have read the body already.
  if (request.readableEnded) return createBodyContent((request as { body?: unknown }).body)
  const bytes = await body.read(MAX_BODY_BYTES)
  if (bytes === undefined) return createBodyContent(undefined, new BodyTooLarge(MAX_BODY_BYTES))
  try {
    const decoded = await readBytes(contentOf(request, Readable.from([bytes], { objectMode: false })))
    return createBodyContent(await parseContent(decoded, request.headers['content-type']))
  } catch (error) {
    const problem = readingError(error, request) as Error
    if (SimError.is(problem)) return createBodyContent(undefined, problem)
    throw problem
  }
}

/** A text of XML. */
class XmlText {
  readonly document: () => unknown

  constructor(text: string) {
    this.document = lazy(() => readXml(text))
  }
}

/** The body of a media type as conditions look at it: a JSON value, the fields of a form, or XML. */
export async function parseContent(bytes: Buffer, type: string | undefined): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const kind = type === undefined ? 'json' : mediaKindOf(type)
  if (kind === 'multipart') {
    const parts = await readParts(Readable.from([bytes], { objectMode: false }), type ?? '')
    return new Map(
      parts.flatMap(({ name, content }) => (typeof content === 'string' ? [[name, content]] : [])),
    )
  }
  return parseText(bytes.toString('utf8'), type)
}

/** The same for a text that is not multipart. @throws Error when it is not what its type says */
export function parseText(text: string, type: string | undefined): unknown {
  const kind = type === undefined ? 'json' : mediaKindOf(type)
  if (kind === 'form') return new URLSearchParams(text)
  if (kind === 'xml') return new XmlText(text)
  if (type !== undefined && /^application\/graphql\b/i.test(type)) return { query: text }
  // Some clients send JSON and name no type for it, or another one.
  return kind === 'json' || /^\s*[{[]/.test(text) ? parseJsonText(text, ['body']) : undefined
}

/** What conditions see of a body that was read. @param parsed as `parseContent` gives it */
export function createBodyContent(parsed: unknown, problem?: Error): BodyContent {
  return { problem, value: (place, name) => READERS[place]?.(parsed, name) }
}

const READERS: Readonly<Partial<Record<Place, (parsed: unknown, name: string) => unknown>>> = {
  form: (parsed, name) => {
    const isForm = parsed instanceof URLSearchParams || parsed instanceof Map
    return isForm ? ((parsed.get(name) as string | null) ?? undefined) : undefined
  },
  pointer: (parsed, pointer) => readPointer(pointer).reduce(childOf, plainOf(parsed)),
  element: (parsed, path) => (parsed instanceof XmlText ? elementIn(parsed.document(), path) : undefined),
  selection: (parsed) => {
    const document = childOf(parsed, 'query')
    const name = childOf(parsed, 'operationName')
    if (typeof document !== 'string') return undefined
    return selectionOf(document, typeof name === 'string' ? name : undefined)
  },
}

function plainOf(parsed: unknown): unknown {
  const isOther = parsed instanceof URLSearchParams || parsed instanceof Map || parsed instanceof XmlText
  return isOther ? undefined : parsed
}

function childOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== 'object') return undefined
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}
