/** How a body of a media type is written. */
export type MediaKind = 'json' | 'xml' | 'form' | 'lines' | 'events' | 'text' | 'binary'

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** How a body of a media type is written; what is not known is binary. */
export function mediaKindOf(type: string): MediaKind {
  const essence = essenceOf(type)
  return KINDS.find(([pattern]) => pattern.test(essence))?.[1] ?? 'binary'
}

const KINDS: readonly (readonly [RegExp, MediaKind])[] = [
  [/^[^/]+\/(.+\+)?json$/, 'json'],
  [/^[^/]+\/(.+\+)?xml$/, 'xml'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|json-lines)$/, 'lines'],
  [/^text\/event-stream$/, 'events'],
  [/^text\//, 'text'],
  [/^application\/((x-)?(javascript|yaml)|.+\+yaml|graphql|sql)$/, 'text'],
]
