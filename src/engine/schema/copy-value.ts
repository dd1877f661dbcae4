import { setEntry, type Entries } from './schema.ts'

/** A copy of a value, its parts included. Of plain data this is several times as fast as a structured clone. */
export function copyValue<Value>(value: Value): Value {
  return copied(value) as Value
}

function copied(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(copied)
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value)
  const copy: Entries = {}
  for (const name of Object.keys(value)) setEntry(copy, name, copied((value as Entries)[name]))
  return copy
}
