import { createMemo } from './memo.ts'

/** How a body is looked into for secrets. Of `binary` bodies only short ones are. */
export type BodyKind = 'json' | 'json-lines' | 'events' | 'form' | 'multipart' | 'xml' | 'text' | 'binary'

const KINDS: readonly (readonly [RegExp, BodyKind])[] = [
  [/^(application|text)\/((x-)?(ndjson|jsonl|jsonlines|json-lines)|json-seq)$|\+json-seq$/, 'json-lines'],
  [/^(application|text)\/(x-)?json5?$|\+json$/, 'json'],
  [/^text\/event-stream$/, 'events'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\//, 'multipart'],
  [/^(application|text)\/xml$|\+xml$/, 'xml'],
  [
    /^text\/|^application\/((x-)?(javascript|ecmascript|yaml|toml|sql)|graphql|jwt|jose)$|\+(yaml|jwt)$|^$/,
    'text',
  ],
]

const known = createMemo<BodyKind>()

/** The kind of a body by its `Content-Type`. A body without a type counts as text, so that it is looked into. */
export function kindOf(contentType: string): BodyKind {
  const before = known.get(contentType)
  if (before !== undefined) return before
  const [type = ''] = contentType.split(/[;,]/)
  const essence = type.trim().toLowerCase()
  const kind = KINDS.find(([pattern]) => pattern.test(essence))?.[1] ?? 'binary'
  known.set(contentType, kind)
  return kind
}
