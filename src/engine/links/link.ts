import { ModelInvalid, LinksInvalid } from '../../errors.ts'
import type { Headers } from '../../message.ts'
import { isObject, LINK, type Schema, type SchemaOrBoolean } from '../schema/schema.ts'

/** What a link may look at while it finds its value. */
export interface LinkContext {
  /** The validated input, path parameters included. */
  readonly input: Readonly<Record<string, unknown>>
  readonly headers: Headers
  /** The user who is logged in, where the route knows users. */
  readonly user?: Readonly<Record<string, unknown>> | undefined
  /** The stored item that a change is of. */
  readonly item?: Readonly<Record<string, unknown>> | undefined
  /** The fields of the same object that this link's `siblings` names, and others already known. */
  readonly siblings: Readonly<Record<string, unknown>>
  /** The schema of the linked field. */
  readonly schema: Schema
  /** Seeded draws in [0, 1) that belong to this field alone. */
  readonly random: () => number
}

/** A link returns this (or `undefined`) to leave its field generated. */
export const KEEP: unique symbol = Symbol.for('sim-gateway.keep')

/** How one kind of link works. Built-in links and users' links are made of the same parts. */
export interface LinkDefinition<Args extends readonly unknown[]> {
  /** The field's value; `KEEP` or `undefined` leaves the field generated. */
  resolve(this: void, context: LinkContext, ...args: Args): unknown
  /** Names of the input fields it reads, so that a name the input model lacks is found at build. */
  inputFields?(this: void, ...args: Args): readonly string[]
  /** Names of the sibling fields it needs first. */
  siblings?(this: void, ...args: Args): readonly string[]
  /** Whether its value depends on the input and its own draws alone, so that answers with it can be kept. */
  readsInputOnly?(this: void, ...args: Args): boolean
  /** Whether its value is drawn, so that one that does not fit leaves the field generated. */
  isDrawn?(this: void, ...args: Args): boolean
  /** What is wrong with the arguments as far as is known before any request, such as a missing file. */
  problems?(this: void, ...args: Args): readonly string[]
  /** The arguments as `x-sim-link` carries them in data files. Default: the only argument, or all in an array. */
  toData?(this: void, ...args: Args): unknown
  /**
   * The way back; throws when the data is not of the link's form.
   * @param base the directory that paths in the data are relative to, where one is known
   */
  fromData?(this: void, data: unknown, base?: string): Args
}

/** The keyword a link function returns: spread it into a schema, or pass it as a schema's options. */
export type Link = {
  readonly [LINK]: Readonly<Record<string, unknown>>
}

/** A link with its arguments, ready to ask. */
export interface BoundLink {
  readonly name: string
  readonly inputFields: readonly string[]
  readonly siblings: readonly string[]
  readonly readsInputOnly: boolean
  readonly isDrawn: boolean
  resolve(context: LinkContext): unknown
  problems(): readonly string[]
}

// The keyword's value carries its definition unseen, so that a link made in code needs no registry.
const BOUND = Symbol.for('sim-gateway.link')

/** A link function and its definition's name, so that it can be registered for data files. */
export interface LinkFunction<Args extends readonly unknown[]> {
  (...args: Args): Link
  readonly linkName: string
  readonly fromData: ReadLink
}

/** Makes a link of its data. @param base the directory that paths in the data are relative to */
type ReadLink = (data: unknown, base?: string) => BoundLink

/**
 * Makes a link: `const FromEnv = defineLink('fromEnv', (context, name: string) => process.env[name])`,
 * then `Type.String(FromEnv('HOME'))`.
 * @param name the key it has under `x-sim-link`
 */
export function defineLink<Args extends readonly unknown[]>(
  name: string,
  definition: LinkDefinition<Args> | LinkDefinition<Args>['resolve'],
): LinkFunction<Args> {
  const parts = typeof definition === 'function' ? { resolve: definition } : definition
  const toData = parts.toData ?? dataOf
  const fromData = parts.fromData ?? ((data: unknown) => argumentsOf(data) as unknown as Args)

  const bind = (args: Args): BoundLink => ({
    name,
    inputFields: parts.inputFields?.(...args) ?? [],
    siblings: parts.siblings?.(...args) ?? [],
    readsInputOnly: parts.readsInputOnly?.(...args) ?? false,
    isDrawn: parts.isDrawn?.(...args) ?? false,
    resolve: (context) => parts.resolve(context, ...args),
    problems: () => parts.problems?.(...args) ?? [],
  })
  const link = (...args: Args): Link => linkTo(bind(args), { [name]: toData(...args) })
  return Object.assign(link, {
    linkName: name,
    fromData: (data: unknown, base?: string) => bind(fromData(data, base)),
  })
}

function linkTo(bound: BoundLink, keyword: Record<string, unknown>): Link {
  return { [LINK]: Object.defineProperty(keyword, BOUND, { value: bound }) }
}

// A single argument stands for itself, unless it would be taken for several.
function dataOf(...args: readonly unknown[]): unknown {
  return args.length === 1 && !Array.isArray(args[0]) ? args[0] : args
}

function argumentsOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [data]
}

const registered = new Map<string, ReadLink>()

/** Makes a link known by name to data files and OpenAPI documents. A later link of the same name replaces it. */
export function registerLink<Args extends readonly unknown[]>(link: LinkFunction<Args>): void {
  registered.set(link.linkName, link.fromData)
}

/** The names of the links that data may use. */
export function linkNames(): readonly string[] {
  return [...registered.keys()]
}

/**
 * The link a schema carries, if any.
 * @throws ModelInvalid when the keyword is not one known link with arguments of its form
 */
export function linkOf(schema: SchemaOrBoolean): BoundLink | undefined {
  const keyword = typeof schema === 'boolean' ? undefined : schema[LINK]
  return keyword === undefined ? undefined : bindLink(keyword)
}

/** Reads the value of an `x-sim-link` keyword. */
export function bindLink(keyword: unknown, base?: string): BoundLink {
  if (!isObject(keyword)) throw new ModelInvalid(`${LINK} must be an object such as { fromInput: name }`)
  const bound = (keyword as { [BOUND]?: BoundLink })[BOUND]
  if (bound !== undefined) return bound

  const [name, ...others] = Object.keys(keyword)
  if (name === undefined || others.length > 0) throw new ModelInvalid(`${LINK} must name exactly one link`)
  const fromData = registered.get(name)
  if (fromData === undefined) {
    throw new ModelInvalid(`${LINK} names no known link: '${name}'. Known: ${linkNames().join(', ')}`)
  }
  return fromData(keyword[name], base)
}

/**
 * Reads an `x-sim-link` keyword from data as the link it is.
 * @param base the directory that paths in the data are relative to
 */
export function linkFromData(keyword: Readonly<Record<string, unknown>>, base?: string): Link {
  return linkTo(bindLink(keyword, base), { ...keyword })
}

/** Reads a link's only argument, a text, from data. @throws ModelInvalid saying what the link takes */
export function textsOf(usage: string): (data: unknown) => [string]
/** Reads the two arguments of a link, which must be texts. */
export function textsOf(usage: string, count: 2): (data: unknown) => [string, string]
export function textsOf(usage: string, count = 1): (data: unknown) => string[] {
  return (data) => {
    const texts: readonly unknown[] = count > 1 && Array.isArray(data) ? data : [data]
    if (texts.length === count && texts.every((text) => typeof text === 'string' && text !== '')) {
      return texts as string[]
    }
    throw new ModelInvalid(usage)
  }
}

/**
 * The fields of one object in an order that has each after the siblings its links need; otherwise as declared.
 * @param needs the fields in declared order, each with the names of the siblings it needs
 * @throws LinksInvalid when fields need each other in a circle
 */
export function orderFields(model: string, needs: ReadonlyMap<string, readonly string[]>): string[] {
  const ordered = new Set<string>()
  const waiting: string[] = []

  const walk = (field: string): void => {
    if (ordered.has(field) || !needs.has(field)) return
    if (waiting.includes(field)) {
      const circle = [...waiting.slice(waiting.indexOf(field)), field].join(' → ')
      throw new LinksInvalid([`${model}: fields are computed from each other in a circle: ${circle}`])
    }
    waiting.push(field)
    for (const sibling of needs.get(field) ?? []) walk(sibling)
    waiting.pop()
    ordered.add(field)
  }
  for (const field of needs.keys()) walk(field)
  return [...ordered]
}
