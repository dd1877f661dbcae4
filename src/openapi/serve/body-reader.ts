import type { HttpRequest } from '../../message.ts'
import { inputIssue } from '../../engine/input-issue.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { fieldSchemasOf } from '../../engine/schema/fields.ts'
import { createResolver, isObject, type Schema } from '../../engine/schema/schema.ts'
import { chooseMediaType } from './choose-media-type.ts'
import { bodyKindOf } from './body-kind.ts'
import type { RequestBody } from '../../engine/operation.ts'
import { headerOf } from './parameter-source.ts'
import type { Reading } from './parameter-reader.ts'
import { createReadOnlyFilter } from './read-only.ts'

/** Reads and validates a body that was decoded; its value is the fields it gives to the input. */
export type ReadBody = (call: HttpRequest) => Reading

/** Makes the reader of an operation's body. A body that is no object is the field `body`. */
export function createBodyReader(body: RequestBody): ReadBody {
  const readers = new Map<string, (value: unknown) => Reading>()
  return ({ headers, body: value }) => {
    const type = headerOf(headers, 'content-type')
    const declared = value === undefined ? undefined : chooseMediaType(body.content, type)
    if (value === undefined) return body.required ? missing(body) : { value: {} }
    const media = declared && body.content.get(declared.range)
    if (declared === undefined || media === undefined) return fieldsIn(value)
    // What is known of a file is no object of the client's.
    if (bodyKindOf(declared.type, media) === 'binary') return { value: { body: value } }
    const read =
      readers.get(declared.range) ?? (media.model === undefined ? fieldsIn : createValueReader(media.model))
    readers.set(declared.range, read)
    return read(value)
  }
}

function missing({ content }: RequestBody): Reading {
  const msg = `Field required: a body of ${[...content.keys()].join(' or ') || 'any type'}`
  return { issues: [{ type: 'missing', loc: ['body'], msg, input: null }] }
}

function fieldsIn(value: unknown): Reading {
  return { value: isObject(value) ? value : { body: value } }
}

function createValueReader(model: Schema): (value: unknown) => Reading {
  const resolve = createResolver(model)
  const checker = createChecker(model, { defaults: true })
  const asSent = createChecker(model)
  const filter = createReadOnlyFilter(model, resolve) ?? structuredClone
  const { declared, isClosed } = fieldSchemasOf(model, resolve)

  return (received) => {
    // Defaults are written into the value, which is the caller's.
    const filled: unknown = filter(received)
    const violations = checker.check(filled)
    const value: unknown = violations.length === 0 ? filled : filter(received)
    // The description's own defaults may fit nothing, which is no fault of the caller's.
    if (violations.length > 0 && !asSent.fits(value)) {
      return { issues: violations.map((violation) => inputIssue(violation, filled, ['body'])) }
    }
    if (!isObject(value) || isClosed) return fieldsIn(value)
    return { value: Object.fromEntries(Object.entries(value).filter(([name]) => declared.has(name))) }
  }
}
