import { inspect } from 'node:util'
import { LinkMismatch, SimError } from '../../errors.ts'
import { KEEP, linkOf, type BoundLink } from '../links/link.ts'
import { createTextReader, type ReadText } from './coerce.ts'
import type { Compiler, Generate, Scope } from './generate.ts'
import { schemasOf } from './keywords.ts'
import { remembered } from '../lazy.ts'
import { measuresOf } from './measures.ts'
import { positionName, type Position } from './position.ts'
import { isObject, LINK, SAID, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/** A link and the schema it is written on. */
export interface Linking {
  readonly link: BoundLink
  readonly part: Schema
}

/** The links that speak of a schema's own value: its own, then those of its reference and of its unions' members. */
export function linksOf(schema: SchemaOrBoolean, resolve: Resolve): readonly Linking[] {
  const links: Linking[] = []
  const seen = new Set<Schema>()
  const walk = (part: SchemaOrBoolean): void => {
    if (typeof part === 'boolean' || seen.has(part)) return
    seen.add(part)
    const link = linkOf(part)
    if (link !== undefined) links.push({ link, part })
    if (typeof part['$ref'] === 'string') walk(resolve(part['$ref']))
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) schemasOf(part, keyword)?.forEach(walk)
  }
  walk(schema)
  return links
}

/** Names of the sibling fields that a field's links need first. */
export function siblingsOf(schema: SchemaOrBoolean, resolve: Resolve): readonly string[] {
  return linksOf(schema, resolve).flatMap(({ link }) => link.siblings)
}

/** Whether a link, or one of those that are meant, stands anywhere inside a schema, references included. */
export function holdsLink(
  schema: SchemaOrBoolean,
  resolve: Resolve,
  isMeant: (link: BoundLink) => boolean = () => true,
): boolean {
  const unlinked = withoutLinks(resolve)
  const seen = new Set<object>()
  let hasLinks = false
  const holds = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object' || seen.has(value) || unlinked.has(value)) return false
    seen.add(value)
    if (!isObject(value)) return Object.values(value).some(holds)
    const parts = Object.keys(value).filter((key) => key !== SAID)
    const reference = value['$ref']
    if (Object.hasOwn(value, LINK)) {
      hasLinks = true
      const link = linkOf(value)
      if (link !== undefined && isMeant(link)) return true
    }
    return (
      parts.some((key) => holds(value[key])) || (typeof reference === 'string' && holds(resolve(reference)))
    )
  }
  const found = holds(schema)
  if (!hasLinks) for (const each of seen) unlinked.add(each)
  return found
}

/** The schemas of a document within which there is no link at all. */
const withoutLinks = remembered((_resolve: Resolve) => new WeakSet(), new WeakMap<Resolve, WeakSet<object>>())

/** Whether a value of a schema may depend on the request that it is made for: a link may, unless it only draws. */
export function readsRequest(schema: Schema): boolean {
  return holdsLink(schema, measuresOf(schema).resolve, (link) => !link.isDrawn)
}

/** The value of the first link that has one for a field; `KEEP` where none has one that the field can hold. */
export function compileLinks(
  links: readonly Linking[],
  schema: Schema,
  at: Position,
  compiler: Pick<Compiler, 'checker' | 'resolve'>,
): Generate {
  const resolvers = links.map((linking) => compileLink(linking, schema, at, compiler))
  const [only] = resolvers
  if (only !== undefined && resolvers.length === 1) return only
  return (stream, scope, siblings) => {
    for (const resolve of resolvers) {
      const value = resolve(stream, scope, siblings)
      if (value !== KEEP) return value
    }
    return KEEP
  }
}

function compileLink(
  { link, part }: Linking,
  schema: Schema,
  at: Position,
  { checker, resolve }: Pick<Compiler, 'checker' | 'resolve'>,
): Generate {
  let readText: ReadText | undefined
  const failure = (scope: Scope, what: string, cause?: unknown): LinkMismatch => {
    return new LinkMismatch(`${scope.route}: ${positionName(at)}: its ${link.name} link ${what}`, { cause })
  }

  return (stream, scope, siblings = NONE) => {
    const random = (): number => stream.next()
    let value: unknown
    try {
      const { input, headers, user, item } = scope
      value = link.resolve({ input, headers, user, item, siblings, schema: part, random })
    } catch (error) {
      if (SimError.is(error)) throw error
      throw failure(scope, `failed: ${error instanceof Error ? error.message : String(error)}`, error)
    }
    if (value === KEEP || value === undefined) return KEEP
    if (checker.fits(value, schema)) return value
    if (value === null) return KEEP

    readText ??= createTextReader(schema, resolve)
    const read = typeof value === 'string' ? readText(value) : value
    if (read !== value && checker.fits(read, schema)) return read
    if (link.isDrawn) return KEEP
    const [violation] = checker.check(value, schema)
    const where =
      violation === undefined || violation.path.length === 0 ? '' : `${violation.path.join('.')}: `
    const shown = inspect(value, { breakLength: Infinity }).slice(0, 100)
    throw failure(scope, `gave ${shown}. ${where}${violation?.message}`)
  }
}

const NONE: Readonly<Record<string, unknown>> = {}
