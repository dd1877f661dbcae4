import { LRUCache } from 'lru-cache'
import { inputIssue } from '../../engine/input-issue.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import type { RequestBody } from '../../engine/operation.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { alternativesOf } from '../../engine/schema/coerce.ts'
import { copyValue } from '../../engine/schema/copy-value.ts'
import { fieldSchemasOf } from '../../engine/schema/fields.ts'
import { itemsOf, schemasOf } from '../../engine/schema/keywords.ts'
import {
  createResolver,
  isObject,
  type Schema,
  type Resolve,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import type { InputIssue } from '../../errors.ts'
import type { HttpRequest } from '../../message.ts'
import { chooseMediaType, bodyKindOf } from './choose-media-type.ts'
import { headerOf } from './parameter-source.ts'

/** The fields that a body gives to the input, or what is wrong with it. */
export interface BodyReading {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly issues?: readonly InputIssue[]
}

/** Makes what reads and validates an operation's decoded body. One that is not an object is the field `body`. */
export function createBodyReader({ content, required }: RequestBody): (request: HttpRequest) => BodyReading {
  const rangeReader = remembered((range: string): ReadValue => {
    const model = content.get(range)?.model
    return model === undefined ? fieldsIn : createValueReader(model)
  })
  const readerFor = (type: string | undefined): ReadValue => {
    const declared = chooseMediaType(content, type)
    const media = declared && content.get(declared.range)
    if (declared === undefined || media === undefined) return fieldsIn
    // What is known of a file is not an object of the client's.
    return bodyKindOf(declared.type, media) === 'binary'
      ? (body) => ({ fields: { body } })
      : rangeReader(declared.range)
  }
  // Clients send the same few content types again and again.
  const typedReader = remembered<string, ReadValue>(readerFor, new LRUCache({ max: MAX_TYPES }))
  const untyped = lazy(() => readerFor(undefined))
  const missing = `Field required: a body of ${[...content.keys()].join(' or ') || 'any type'}`

  return ({ headers, body }) => {
    if (body === undefined)
      return required ? { issues: [{ type: 'missing', loc: ['body'], msg: missing, input: null }] } : {}
    const type = headerOf(headers, 'content-type')
    return (type === undefined ? untyped() : typedReader(type))(body)
  }
}

type ReadValue = (value: unknown) => BodyReading

const MAX_TYPES = 20

function fieldsIn(value: unknown): BodyReading {
  return { fields: isObject(value) ? value : { body: value } }
}

function createValueReader(model: Schema): ReadValue {
  const resolve = createResolver(model)
  const checker = createChecker(model, { defaults: true })
  const asSent = createChecker(model)
  const filter = createReadOnlyFilter(model, resolve) ?? copyValue
  const { declared, isClosed } = fieldSchemasOf(model, resolve)

  return (received) => {
    // Defaults are written into the value, which is the caller's.
    const filled: unknown = filter(received)
    const violations = checker.check(filled)
    const value: unknown = violations.length === 0 ? filled : filter(received)
    // The description's own defaults may fit nothing, which is not the caller's fault.
    if (violations.length > 0 && !asSent.fits(value)) {
      return { issues: violations.map((violation) => inputIssue(violation, filled, ['body'])) }
    }
    if (!isObject(value) || isClosed) return fieldsIn(value)
    return { fields: Object.fromEntries(Object.entries(value).filter(([name]) => declared.has(name))) }
  }
}

/** Takes the fields that only answers have out of what a client sends; `undefined` for a model without such fields. */
export function createReadOnlyFilter(
  model: Schema,
  resolve: Resolve,
): ((value: unknown) => unknown) | undefined {
  if (!hasReadOnly(model)) return undefined
  const fieldsOf = remembered((schema: Schema) => fieldSchemasOf(schema, resolve))
  const listOf = remembered(
    (schema: Schema): Schema =>
      alternativesOf(schema, resolve).find((form) => form['items'] !== undefined) ?? {},
  )

  const filter = (value: unknown, schema: SchemaOrBoolean): unknown => {
    if (typeof schema === 'boolean') return value
    if (Array.isArray(value)) {
      const { first, rest } = itemsOf(listOf(schema))
      return value.map((item, index) => filter(item, first[index] ?? rest))
    }
    if (!isObject(value)) return value
    const { declared, other } = fieldsOf(schema)
    const kept = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
      const part = declared.get(name) ?? other(name)
      return isReadOnly(part, resolve) ? [] : [[name, filter(each, part)]]
    })
    return Object.fromEntries(kept)
  }
  return (value) => filter(value, model)
}

function hasReadOnly(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasReadOnly)
  if (!isObject(part)) return false
  return part['readOnly'] === true || Object.values(part).some(hasReadOnly)
}

function isReadOnly(
  schema: SchemaOrBoolean,
  resolve: Resolve,
  seen: ReadonlySet<Schema> = new Set(),
): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return false
  if (schema['readOnly'] === true) return true
  const within = new Set([...seen, schema])
  const { $ref: reference } = schema
  if (typeof reference === 'string' && isReadOnly(resolve(reference), resolve, within)) return true
  const union = schemasOf(schema, 'anyOf') ?? []
  return (
    (schemasOf(schema, 'allOf') ?? []).some((part) => isReadOnly(part, resolve, within)) ||
    (union.length > 0 && union.every((part) => isReadOnly(part, resolve, within)))
  )
}
