import type { InputIssue } from '../errors.ts'
import type { Violation } from './schema/checker.ts'

/**
 * A violation as clients get it.
 * @param value what was validated
 * @param place where the value came from: `query`, `path` or `body`, and a name where the value has one
 */
export function inputIssue(
  { keyword, path, message }: Violation,
  value: unknown,
  place: readonly (string | number)[],
): InputIssue {
  const input = valueAt(value, keyword === 'required' ? path.slice(0, -1) : path)
  return {
    type: TYPES.get(keyword) ?? keyword,
    loc: [...place, ...path],
    msg: message,
    input: input ?? null,
  }
}

function valueAt(root: unknown, path: Violation['path']): unknown {
  let value = root
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** Names that clients of this error format know; a keyword without one keeps its own name. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['required', 'missing'],
  ['type', 'type_error'],
  ['const', 'literal_error'],
  ['additionalProperties', 'extra_forbidden'],
  ['unevaluatedProperties', 'extra_forbidden'],
  ['minimum', 'greater_than_equal'],
  ['exclusiveMinimum', 'greater_than'],
  ['maximum', 'less_than_equal'],
  ['exclusiveMaximum', 'less_than'],
  ['minLength', 'string_too_short'],
  ['maxLength', 'string_too_long'],
  ['minItems', 'too_short'],
  ['maxItems', 'too_long'],
  ['pattern', 'string_pattern_mismatch'],
  ['multipleOf', 'multiple_of'],
])

const KEYWORDS = new Map([...TYPES].map(([keyword, type]) => [type, keyword]))

/** The keyword that an issue of this type is about; `syntax` where its value could not be read. */
export function keywordOf(type: string): string {
  if (type === 'extra_forbidden') return 'additionalProperties'
  return type.endsWith('_invalid') ? 'syntax' : (KEYWORDS.get(type) ?? type)
}
