import { parse } from 'content-type'
import { createMemo } from './memo.ts'

/** How a body of a media type is written. */
export type MediaKind = 'json' | 'json-lines' | 'events' | 'form' | 'multipart' | 'xml' | 'text' | 'binary'

const KINDS: readonly (readonly [RegExp, MediaKind])[] = [
  [
    /^(application|text)\/((x-)?(ndjson|jsonl|jsonlines|json-lines|stream\+json)|json-seq)$|\+json-seq$/,
    'json-lines',
  ],
  // `application/vnd.api.json` and the numbered `application/x-amz-json-1.1` are JSON too.
  [/^[^/]+\/(.+[.+-])?json(5|-[\d.]+|-(rpc|(merge-)?patch)|request)?$/, 'json'],
  [/^text\/event-stream$/, 'events'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\//, 'multipart'],
  [/^[^/]+\/(.+\+)?xml$/, 'xml'],
  [
    /^text\/|^application\/((x-)?(javascript|ecmascript|yaml|toml|sql)|graphql|jwt|jose)$|\+(yaml|jwt)$/,
    'text',
  ],
]

const known = createMemo<MediaKind>()

/** How a body of a media type is written; what is not known is binary. Parameters, and a second type, do not count. */
export function mediaKindOf(type: string): MediaKind {
  const before = known.get(type)
  if (before !== undefined) return before
  const [first = ''] = essenceOf(type).split(',')
  const essence = first.trim()
  const kind = KINDS.find(([pattern]) => pattern.test(essence))?.[1] ?? 'binary'
  known.set(type, kind)
  return kind
}

/** How a body with this `Content-Type` is looked into for secrets: one without a type is taken for text. */
export function contentKindOf(contentType: string): MediaKind {
  return contentType === '' ? 'text' : mediaKindOf(contentType)
}

/** JSON with more bytes of space than this before it is none that clients send. */
const MAX_SPACE = 64

/**
 * Whether a body begins as a JSON object does, whatever it is called: curl calls such a body a form, and `fetch` a text,
 * where nobody says otherwise.
 */
export function beginsAsObject(body: string | Buffer): boolean {
  const text = typeof body === 'string' ? body : body.toString('latin1', 0, MAX_SPACE)
  return text.trimStart().startsWith('{')
}

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essenceOf(type: string): string {
  return parse(type, { parameters: false }).type
}

/** A media type's parameters (RFC 9110, section 5.6.6), their names in lower case. */
export function mediaParameters(type: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(parse(type).parameters))
}

/** Whether a name can be that of a media type: whether it can be sent as one. */
export function isMediaType(name: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(name) && /\S/.test(name)
}

/** What files of programs are sent as; nginx takes those of TypeScript for films. */
const UNTYPED = /^(?:$|(?:application|binary)\/octet-stream\b|text\/plain\b|video\/mp2t\b)/i
const OF_PROGRAM =
  /^[^?#]*\/[^/?#]+\.(?:py[iw]?|[ch]|cc|cpp|hh|hpp|cs|go|rs|rb|php|pl|pm|java|kts?|scala|swift|lua|[cm]?[jt]sx?|vue|svelte|md|markdown|rst)(?:[?#]|$)/i

/** The type that a body is looked into as: servers give most files of programs none that says so. */
export function bodyTypeOf(mimeType: string, url: string): string {
  return UNTYPED.test(mimeType) && OF_PROGRAM.test(url) ? 'text/x-c' : mimeType
}
