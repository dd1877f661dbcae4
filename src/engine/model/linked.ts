import { LinkMismatch, SimError } from '../../sim-error.ts'
import { KEEP, linkOf, type BoundLink, type LinkContext } from '../links/link.ts'
import { coerceText } from './coerce.ts'
import type { Compiler, Position } from './compiler.ts'
import type { Generate, Scope } from './generate.ts'
import { isObject, LINK, type Schema } from './schema.ts'

/** A link and the schema it is written on. */
export interface Linking {
  readonly link: BoundLink
  readonly part: Schema
}

/** The link of a schema, or of a member of its union, such as the text of a nullable text. */
export function linkWithin(schema: Schema): Linking | undefined {
  const members = [schema['anyOf'], schema['oneOf']].flatMap((each) => (Array.isArray(each) ? each : []))
  for (const part of [schema, ...members].filter(isObject)) {
    const link = linkOf(part)
    if (link !== undefined) return { link, part }
  }
  return undefined
}

/** Whether a link stands anywhere inside a schema, references not followed. */
export function holdsLink(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return false
  return Object.hasOwn(schema, LINK) || Object.values(schema).some(holdsLink)
}

/** The value of a field's link, or `KEEP` where it has none that the field can hold. */
export function compileLink(
  { link, part }: Linking,
  schema: Schema,
  at: Position,
  { checker, resolve }: Pick<Compiler, 'checker' | 'resolve'>,
): Generate {
  const place = (scope: Scope): string => `${scope.route}: ${at.model}.${at.field}`

  const ask = (context: LinkContext, scope: Scope): unknown => {
    try {
      return link.resolve(context)
    } catch (error) {
      if (error instanceof SimError) throw error
      throw new LinkMismatch(`${place(scope)}: its ${link.name} link failed: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  return (stream, scope, siblings = {}) => {
    const random = (): number => stream.next()
    const value = ask({ input: scope.input, headers: scope.headers, siblings, schema: part, random }, scope)
    if (value === KEEP || value === undefined) return KEEP
    if (checker.fits(value, schema)) return value
    if (value === null) return KEEP

    const read = typeof value === 'string' ? coerceText(value, schema, resolve) : value
    if (read !== value && checker.fits(read, schema)) return read
    const [violation] = checker.check(value, schema)
    const shown = JSON.stringify(value)?.slice(0, 100)
    throw new LinkMismatch(`${place(scope)}: its ${link.name} link gave ${shown}. ${violation?.message}`)
  }
}
