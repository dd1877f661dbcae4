import { Readable } from 'node:stream'
import type { Content, MediaType } from '../../engine/operation.ts'
import { violationAt, type ContractSide, type ContractViolation } from '../../engine/contract-violation.ts'
import { lazy } from '../../engine/lazy.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { createResolver } from '../../engine/schema/schema.ts'
import { InputInvalid, SimError } from '../../errors.ts'
import { codingsIn } from '../../http/headers.ts'
import { readParts } from '../../http/read-multipart.ts'
import { mediaParameters } from '../../media-type.ts'
import type { Awaitable } from '../../message.ts'
import { decode } from '../../recording/files/decode.ts'
import { isHidden } from '../../recording/redaction/secrets.ts'
import { createReadOnlyFilter } from '../serve/body-reader.ts'
import { bodyKindOf } from '../serve/choose-media-type.ts'
import { decodeBody } from '../serve/read-operation-body.ts'

/** What is found in a body, and the value that it holds where it was read. */
export interface BodyFinding {
  readonly violations: readonly ContractViolation[]
  readonly value?: unknown
  /** Why it could not be looked at. */
  readonly unchecked?: string
}

/** Looks at the bytes of a body. @param coding the content codings that it has; `''` for none */
export type CheckBody = (bytes: Uint8Array, type: string, coding: string) => Awaitable<BodyFinding>

/** Whether there is something to see in bodies of a media type. */
export function isCheckable(type: string, media: MediaType): boolean {
  const kind = bodyKindOf(type, media)
  return kind !== 'events' && kind !== 'binary'
}

/** Makes what looks at bodies of one media type by its model. */
export function createBodyCheck(side: ContractSide, media: MediaType): CheckBody {
  const { model } = media
  const checker = lazy(() => model && createChecker(model))
  const filter = lazy(() =>
    side === 'request' && model !== undefined
      ? createReadOnlyFilter(model, createResolver(model))
      : undefined,
  )
  const compare = (read: unknown): BodyFinding => {
    const value = filter()?.(read) ?? read
    const found = checker()?.check(value) ?? []
    return {
      value: read,
      // What a recording hides has the form of a pseudonym.
      violations: found
        .filter(({ path }) => !isHiddenAt(value, path))
        .map(({ path, keyword, message }) => violationAt(side, 'body', path, keyword, message)),
    }
  }
  const read = (bytes: Uint8Array, type: string): Awaitable<BodyFinding> => {
    const kind = bodyKindOf(type, media)
    if (kind === 'json') {
      let value: unknown
      try {
        value = JSON.parse(textOf(bytes, type))
      } catch (error) {
        return syntaxError(side, `It is not JSON: ${(error as Error).message.replace(/, ".*$/s, '')}`)
      }
      return compare(value)
    }
    try {
      if (kind !== 'parts') return compare(decodeBody(media, type, textOf(bytes, type)))
      return readParts(Readable.from([bytes], { objectMode: false }), type).then(
        (parts) => compare(decodeBody(media, type, parts)),
        (error: unknown) => unreadable(side, error),
      )
    } catch (error) {
      return unreadable(side, error)
    }
  }
  return (bytes, type, coding) => {
    if (codingsIn(coding).length === 0) return read(bytes, type)
    return decode(Buffer.from(bytes), coding).then((decoded) =>
      'problem' in decoded ? { violations: [], unchecked: decoded.problem } : read(decoded.bytes, type),
    )
  }
}

function unreadable(side: ContractSide, error: unknown): BodyFinding {
  if (error instanceof InputInvalid) {
    const violations = error.issues.map(({ loc, msg }) =>
      violationAt(side, 'body', loc.slice(1), 'syntax', msg),
    )
    return { violations }
  }
  if (SimError.is(error)) return { violations: [], unchecked: error.message }
  return syntaxError(side, (error as Error).message)
}

function syntaxError(side: ContractSide, message: string): BodyFinding {
  return { violations: [violationAt(side, 'body', [], 'syntax', message)] }
}

function textOf(bytes: Uint8Array, type: string): string {
  const { buffer, byteOffset, byteLength } = bytes
  const all = Buffer.from(buffer, byteOffset, byteLength)
  if (!/charset/i.test(type)) return all.toString()
  const charset = mediaParameters(type).get('charset') ?? 'utf-8'
  return /^utf-?8$/i.test(charset) ? all.toString() : new TextDecoder(charset).decode(all)
}

function isHiddenAt(value: unknown, path: readonly (string | number)[]): boolean {
  let at = value
  for (const key of path) {
    if (at === null || typeof at !== 'object') return false
    at = (at as Readonly<Record<string | number, unknown>>)[key]
  }
  return typeof at === 'string' && isHidden(at)
}

/** What is said of a media type that is not declared. */
export function mediaTypeViolation(
  side: ContractSide,
  type: string | undefined,
  content: Content,
): ContractViolation {
  const declared = [...content.keys()].join(' or ')
  const given = type === undefined ? 'There is no content type' : `${type} is not declared`
  return violationAt(side, 'media-type', [], 'media-type', `${given}; declared: ${declared}`)
}

/** What is said of a body that is not declared, or is missing. */
export function bodyViolation(side: ContractSide, message: string): ContractViolation {
  return violationAt(side, 'body', [], 'body', message)
}
