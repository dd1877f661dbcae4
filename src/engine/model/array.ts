import { hashText } from '../random.ts'
import { MOST_DEPTH, type Compiler, type Position } from './compiler.ts'
import type { Generate } from './generate.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'

const MOST_DEFAULT_ITEMS = 3

/** An array or tuple: as many items as its bounds allow, one to three where they leave it open. */
export function compileArray(schema: Schema, at: Position, compiler: Compiler): Generate {
  // Before 2020-12, a tuple was an `items` that is an array.
  const old = Array.isArray(schema['items'])
  const prefix = ((old ? schema['items'] : schema['prefixItems']) ?? []) as readonly SchemaOrBoolean[]
  const rest = ((old ? schema['additionalItems'] : schema['items']) ?? true) as SchemaOrBoolean
  const first = prefix.map((part, index) => compiler.compile(part, { ...at, field: `${at.field}[${index}]` }))
  const item = compiler.compile(rest, { ...at, field: `${at.field}[]` })

  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Infinity
  const open = rest !== false && (prefix.length === 0 || least > prefix.length)
  const lengthAt = (depth: number, random: () => number): number => {
    if (depth > MOST_DEPTH || compiler.heights.of(rest) === Infinity) return Math.max(least, 0)
    const usual = depth > 2 ? 1 : 1 + Math.floor(random() * MOST_DEFAULT_ITEMS)
    return Math.min(most, Math.max(least, open ? usual : prefix.length))
  }
  const unique = schema['uniqueItems'] === true

  return (stream, scope) => {
    const length = lengthAt(scope.depth, () => stream.next())
    const values: unknown[] = []
    const seen = new Set<string>()
    for (let attempt = 0; values.length < length && attempt < length + MOST_REPEATS; attempt++) {
      const generate = first[values.length] ?? item
      const value = generate(stream.child(attempt), scope)
      const text = unique ? JSON.stringify(value) : ''
      if (unique && seen.has(text)) continue
      seen.add(text)
      values.push(value)
    }
    return values
  }
}

const MOST_REPEATS = 100

/** The salt of a list's items, apart from every field's. */
export const ITEMS = hashText('items of the list')
