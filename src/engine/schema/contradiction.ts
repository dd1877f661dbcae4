import { numberOf, requiredOf } from './keywords.ts'
import type { Schema } from './schema.ts'

/** Whether bounds contradict each other, so that no value of this type can be within them. */
export function isContradiction(type: string, schema: Schema): boolean {
  const bound = (keyword: string, absent: number): number => numberOf(schema, keyword) ?? absent
  switch (type) {
    case 'string':
      return bound('minLength', 0) > bound('maxLength', Infinity)
    case 'array':
      return bound('minItems', 0) > bound('maxItems', Infinity)
    case 'object':
      return Math.max(bound('minProperties', 0), requiredOf(schema).length) > bound('maxProperties', Infinity)
    case 'integer':
    case 'number':
      return noNumberIsWithin(type === 'integer', bound)
    default:
      return false
  }
}

function noNumberIsWithin(isWhole: boolean, bound: (keyword: string, absent: number) => number): boolean {
  const least = bound('minimum', -Infinity)
  const most = bound('maximum', Infinity)
  const above = bound('exclusiveMinimum', -Infinity)
  const under = bound('exclusiveMaximum', Infinity)
  if (!isWhole) return least > most || above >= under || above >= most || least >= under
  const first = Math.max(Math.ceil(least), Math.floor(above) + 1)
  const last = Math.min(Math.floor(most), Math.ceil(under) - 1)
  return first > last
}
