import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'

/** What stands in the copy for the value of a keyword; `keys` lead to it from the schema that is copied. */
export type ChangeKeyword = (keyword: string, value: unknown, keys: readonly string[]) => unknown

// Keywords whose value is no schema, and those whose value is schemas by name.
const VALUES = new Set(['const', 'enum', 'default', 'example', 'examples', 'required', LINK, '$ref'])
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** A copy of a schema in which links and references at any depth are changed. */
export function copyModel(schema: Readonly<Record<string, unknown>>, change: ChangeKeyword): Schema {
  const copy = (value: unknown, keys: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown, index) => copy(each, [...keys, String(index)]))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([keyword, part]) => {
      const at = [...keys, keyword]
      if (VALUES.has(keyword)) return [keyword, change(keyword, part, at)]
      return [keyword, NAMED.has(keyword) && isObject(part) ? copyNamed(part, at) : copy(part, at)]
    })
    return Object.fromEntries(entries)
  }
  const copyNamed = (named: Record<string, unknown>, keys: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(named).map(([name, part]) => [name, copy(part, [...keys, name])]))
  return copy(schema, []) as Schema
}
