import { KEEP, type BoundLink } from '../links/link.ts'
import { orderFields } from '../links/order.ts'
import { hashText, type Stream } from '../random.ts'
import { regExp } from './checker.ts'
import { MOST_DEPTH, type Compiler, type Position } from './compiler.ts'
import type { Generate, Scope } from './generate.ts'
import { linkWithin } from './linked.ts'
import { compileString } from './string.ts'
import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

interface Field {
  readonly name: string
  readonly salt: number
  readonly generate: Generate
  readonly link: Generate | undefined
  readonly required: boolean
}

type Entries = Record<string, unknown>

/** An object with all its declared fields, links resolved in the order they need each other, and its extra entries. */
export function compileObject(schema: Schema, at: Position, compiler: Compiler): Generate {
  const fields = compileFields(schema, at, compiler)
  const declared = fields.map(({ name }) => name)
  const links = new Map(propertiesOf(schema).map(([name, part]) => [name, linkOfPart(part)]))
  const ordered = orderFields(at.model, links).flatMap((name) =>
    fields.filter((field) => field.name === name),
  )
  const inOrder = ordered.every((field, index) => field === fields[index])
  const addEntries = compileEntries(schema, declared, at, compiler)

  return (stream, scope) => {
    const value: Entries = {}
    const { given } = scope
    scope.given = undefined
    for (const { name, salt, generate, link, required } of ordered) {
      if (given !== undefined && Object.hasOwn(given, name)) {
        const linked = link?.(stream.child(salt), scope, value) ?? KEEP
        set(value, name, linked === KEEP ? given[name] : linked)
      } else if (required || scope.depth <= MOST_DEPTH)
        set(value, name, generate(stream.child(salt), scope, value))
    }
    addEntries?.(value, stream, scope)
    return inOrder ? value : inOrderOf(declared, value)
  }
}

function linkOfPart(part: SchemaOrBoolean): BoundLink | undefined {
  return typeof part === 'boolean' ? undefined : linkWithin(part)?.link
}

function compileFields(schema: Schema, at: Position, compiler: Compiler): Field[] {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : [])
  return propertiesOf(schema)
    .filter(([name, part]) => required.has(name) || compiler.heights.of(part) !== Infinity)
    .map(([name, part]) => {
      const place = { model: at.model, field: at.field === '' ? name : `${at.field}.${name}` }
      return {
        name,
        salt: hashText(name),
        generate: compiler.compile(part, place),
        link: compiler.compileLink(part, place),
        required: required.has(name),
      }
    })
}

function set(value: Entries, name: string, entry: unknown): void {
  if (name !== '__proto__') value[name] = entry
  else
    Object.defineProperty(value, name, { value: entry, enumerable: true, configurable: true, writable: true })
}

function inOrderOf(names: readonly string[], value: Entries): Entries {
  const sorted: Entries = {}
  for (const name of names) if (Object.hasOwn(value, name)) set(sorted, name, value[name])
  return Object.assign(sorted, value)
}

type AddEntries = (value: Entries, stream: Stream, scope: Scope) => void

/** Entries beside the declared fields: required names that have no schema, and those a record or a minimum asks for. */
function compileEntries(
  schema: Schema,
  declared: readonly string[],
  at: Position,
  compiler: Compiler,
): AddEntries | undefined {
  const patterns = Object.entries(isObject(schema['patternProperties']) ? schema['patternProperties'] : {})
  const rest = schema['additionalProperties'] as SchemaOrBoolean | undefined
  const [pattern, patterned] = patterns[0] ?? []
  const part = (patterned as SchemaOrBoolean | undefined) ?? rest ?? true
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
  const missing = required.filter((name) => !declared.includes(name))

  const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
  const most = typeof schema['maxProperties'] === 'number' ? schema['maxProperties'] : Infinity
  const isRecord = declared.length === 0 && (patterned !== undefined || isObject(rest))
  if (!isRecord && missing.length === 0 && least <= declared.length) return undefined

  const nameOf = compileName(schema, pattern, at, compiler)
  const entryOf = (name: string): Generate => {
    const match = patterns.find(([each]) => regExp(each).test(name))
    return compiler.compile((match?.[1] as SchemaOrBoolean | undefined) ?? rest ?? true, {
      ...at,
      field: name,
    })
  }
  const missingFields = missing.map((name) => ({ name, salt: hashText(name), generate: entryOf(name) }))
  const generate = compiler.compile(part, { ...at, field: at.field === '' ? 'entry' : `${at.field}.entry` })

  return (value, stream, scope) => {
    for (const each of missingFields) set(value, each.name, each.generate(stream.child(each.salt), scope))
    const wanted = isRecord && scope.depth <= MOST_DEPTH ? stream.integer(1, 3) : 0
    const count = Math.min(most, Math.max(least, wanted))
    for (let attempt = 0; Object.keys(value).length < count && attempt < count * 10; attempt++) {
      const place = stream.child(ENTRY + attempt)
      const name = nameOf(place.child(0), scope)
      if (!Object.hasOwn(value, name)) set(value, name, generate(place.child(1), scope))
    }
  }
}

const ENTRY = hashText('an entry')

function compileName(schema: Schema, pattern: string | undefined, at: Position, compiler: Compiler) {
  const names = isObject(schema['propertyNames']) ? schema['propertyNames'] : {}
  const wide = pattern === undefined || regExp(pattern).test('word')
  const generate = compileString(
    wide ? { ...names } : { pattern, ...names },
    { ...at, field: 'keyword' },
    compiler,
  )
  return (stream: Stream, scope: Scope): string => String(generate(stream, scope))
}
