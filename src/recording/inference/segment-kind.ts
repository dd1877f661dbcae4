/** What a path segment looks like. A `word` may be a name in the path or a slug: only evidence can tell. */
export type SegmentKind = 'number' | 'uuid' | 'ulid' | 'date' | 'hash' | 'word'

const KINDS: readonly (readonly [RegExp, SegmentKind])[] = [
  [/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'date'],
  [/^-?\d+$/, 'number'],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'uuid'],
  // Crockford's base 32 without I, L, O and U; the first digit holds two bits of a 48-bit time.
  [/^[0-7][0-9a-hjkmnp-tv-z]{25}$/i, 'ulid'],
  [/^(?=.*\d)(?=.*[a-f])[0-9a-f]{12,}$/i, 'hash'],
]

/** The kind of a segment by its form alone. */
export function segmentKind(segment: string): SegmentKind {
  return KINDS.find(([form]) => form.test(segment))?.[1] ?? 'word'
}
