import { DATA_KEYWORDS, SUBSCHEMAS } from '../../engine/schema/keywords.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'

/** What stands in the copy for the value of a keyword; `keys` lead to it from the schema that is copied. */
export type ChangeKeyword = (keyword: string, value: unknown, keys: readonly string[]) => unknown

const UNCOPIED = new Set([...DATA_KEYWORDS, 'required', '$ref'])

/** A copy of a schema in which links and references at any depth are changed. */
export function copyModel(schema: Readonly<Record<string, unknown>>, change: ChangeKeyword): Schema {
  const copy = (value: unknown, keys: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown, index) => copy(each, [...keys, String(index)]))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([keyword, part]) => {
      const at = [...keys, keyword]
      if (UNCOPIED.has(keyword)) return [keyword, change(keyword, part, at)]
      return [
        keyword,
        SUBSCHEMAS.get(keyword) === 'named' && isObject(part) ? copyNamed(part, at) : copy(part, at),
      ]
    })
    return Object.fromEntries(entries)
  }
  const copyNamed = (named: Record<string, unknown>, keys: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(named).map(([name, part]) => [name, copy(part, [...keys, name])]))
  return copy(schema, []) as Schema
}
