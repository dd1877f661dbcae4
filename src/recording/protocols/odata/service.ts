import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../../calls/objects.ts'

/** A service, as its `$metadata` and its answers show it. */
export interface Service {
  /** The path that all its resources are below. */
  readonly root: string
  /** What `$metadata` answers: the text in XML, the value in JSON, or both. */
  readonly metadata?: readonly unknown[] | undefined
  /** What the root answers. */
  readonly document?: unknown
  readonly sets: Readonly<Record<string, EntitySet>>
  /** The set whose entities name further ones. */
  readonly namer?: Namer | undefined
  /** Actions and functions, by name and with their namespace. */
  readonly operations: readonly string[]
  readonly style: Style
  /** What is refused beyond what every service refuses. */
  readonly checks: readonly string[]
  /** How refusals are answered, by their kinds. */
  readonly refusals: Readonly<Record<string, RefusalForm>>
}

/** A set whose entities name other sets: who makes a table `people` has a set `people` by that. */
export interface Namer {
  readonly set: string
  /** The property of its entities that is the name. */
  readonly key: string
}

/** Entities of one type at one place; within others where its name has a slash. */
export interface EntitySet {
  readonly keys: readonly string[]
  /** Those of the keys that stand in quotes in paths. */
  readonly quoted: readonly string[]
  /** By name: what a property is that nobody gives. */
  readonly properties: Readonly<Record<string, unknown>>
  /** By name: the types that the service says its properties have, without `Edm.`. */
  readonly types?: Readonly<Record<string, string>>
  readonly links: Readonly<Record<string, Link>>
  readonly isSingleton?: boolean
  /** Whether entities may have other properties, too. */
  readonly isOpen?: boolean
  /** What has to be given. */
  readonly required?: readonly string[]
  /** What is made up of the time of a creation or change, by an example. */
  readonly made?: Readonly<Record<string, string>>
  readonly touched?: Readonly<Record<string, string>>
  /** Annotations of every entity, with `{key}` for its key in brackets. */
  readonly annotations?: Readonly<Record<string, string>>
  /** A validator as its entities have them, with `{…}` for a property that it is made of. */
  readonly etag?: string | undefined
  /** What entities have that requests did not select. */
  readonly kept?: readonly string[]
  /** The context of its lists, where it is not what others are made of. */
  readonly listContext?: string
  /** How many entities are answered at most. */
  readonly pageSize?: number | undefined
}

/** A property that is another entity, or several. */
export interface Link {
  readonly to: string
  readonly isMany: boolean
  /** Properties of the entity, and those of the other that are the same; without them, each entity has its own list. */
  readonly by?: readonly (readonly [own: string, other: string])[] | undefined
  /** Whether the other is removed with the entity. */
  readonly isOwned?: boolean
}

/** What services may do in one way or another. */
export interface Style {
  /** What stands before `$metadata` in contexts: an absolute URL; absent where that is relative. */
  readonly base?: string | undefined
  /** Whether contexts name what is selected, what is expanded, and the path of what is linked. */
  readonly context: { readonly selects: boolean; readonly expands: boolean; readonly paths: boolean }
  /** `@odata.` or `@`. */
  readonly prefix: string
  readonly hasContext: boolean
  /** Whether answers are in the JSON of OData 3. */
  readonly isVersion3?: boolean
  /** Whether entities have their keys where others are selected, and validators where others are expanded. */
  readonly keepsKeys: boolean
  readonly keepsEtags: boolean
  /** Whether answers in batches say how long they are. */
  readonly hasLengths: boolean
  /** Whether entities come in the order of their keys where requests name none. */
  readonly sorts: boolean
  /** By method: the status of those that succeed. */
  readonly statuses: Readonly<Record<string, number>>
  /** By status: the headers of answers; `{resource}` stands for the path of the entity below the root. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By kind of answer: its media type. */
  readonly contentTypes: Readonly<Record<string, string>>
  /** What asks for the next page, and whether by the number of those before or the last key. */
  readonly next?: { readonly by: string; readonly isKey: boolean; readonly base: string } | undefined
}

/** How a refusal is answered: texts with `{…}` for what was refused. */
export interface RefusalForm {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Hidden members begin with this. */
const HIDDEN = '@@'
export const KEY = `${HIDDEN}key`
export const OWNER = `${HIDDEN}owner`

/** The member with the keys of those that an entity is linked to, where no property says it. */
export function listMember(link: string): string {
  return `${HIDDEN}${link}`
}

export function isHidden(name: string): boolean {
  return name.startsWith(HIDDEN)
}

/** The keys of a set that paths and answers have. */
export function shownKeys({ keys }: Pick<EntitySet, 'keys'>): readonly string[] {
  return keys.filter((name) => !isHidden(name))
}

/** The key of an entity as one text; `undefined` where a part of it is missing. */
export function keyOf({ keys }: Pick<EntitySet, 'keys'>, item: Item): string | undefined {
  const values = keys.map((name) => item[name])
  if (values.length === 0) return typeof item[KEY] === 'string' ? item[KEY] : undefined
  return values.some((value) => value === undefined || value === null || typeof value === 'object')
    ? undefined
    : keyText(values)
}

export function keyText(values: readonly unknown[]): string {
  return values.map(String).join(',')
}

/** A key as paths have it, in brackets. */
export function predicateOf(set: Pick<EntitySet, 'keys' | 'quoted'>, item: Item): string {
  const { quoted } = set
  const keys = shownKeys(set)
  const literal = (name: string): string => {
    const text = String(item[name])
    return quoted.includes(name) ? `'${text.replaceAll("'", "''")}'` : text
  }
  const [only = ''] = keys
  if (keys.length < 2) return keys.length === 0 ? '' : `(${literal(only)})`
  return `(${keys.map((name) => `${name}=${literal(name)}`).join(',')})`
}

/** The values of a key in brackets by name, those without a name under the only one there is. */
export function readPredicate(set: Pick<EntitySet, 'keys'>, text: string): Item | undefined {
  const keys = shownKeys(set)
  const parts = splitOutside(text, ',')
  const [only = ''] = keys
  const values: Record<string, unknown> = {}
  for (const part of parts) {
    const [, name, literal = ''] = /^(?:([A-Za-z_][\w./]*)=)?(.*)$/s.exec(part.trim()) ?? []
    if (name === undefined && (parts.length > 1 || keys.length !== 1)) return undefined
    values[name ?? only] = readLiteral(literal)
  }
  return keys.every((name) => Object.hasOwn(values, name)) ? values : undefined
}

/** A literal of a URL as a value. */
export function readLiteral(text: string): unknown {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (/^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : text
}

/** The parts of a text between separators that are in no quotes or brackets. */
export function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === separator && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

/** An object's members; none of anything else. */
export function membersIn(value: unknown): Item {
  return isObject(value) ? value : {}
}
