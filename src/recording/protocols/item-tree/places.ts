import { isObject } from '../../../engine/schema/schema.ts'
import { decodeSegment } from '../../../routing/path-template.ts'

/** How the items of a tree say where they are. */
export interface Form {
  /** The path of the tree's root. */
  readonly root: string
  /** The member of an item that has its path below the root. */
  readonly member: string
  /** What stands before that. */
  readonly lead: '' | '/'
}

/** What a path is below a root, without slashes around it; `undefined` where it is not below it. */
export function pathBelow(root: string, path: string): string | undefined {
  if (path !== root && !path.startsWith(`${root}/`)) return undefined
  const parts = path.slice(root.length).split('/')
  return parts
    .filter((part) => part !== '')
    .map(decodeSegment)
    .join('/')
}

/** The path that a JSON value says it has; `undefined` where it is not an item. */
export function placeIn({ member, lead }: Pick<Form, 'member' | 'lead'>, value: unknown): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, member)) return undefined
  const own = value[member]
  return typeof own === 'string' && own.startsWith(lead) ? own.slice(lead.length) : undefined
}

/** Whether a path is one segment below another. */
export function isChild(path: string, of: string): boolean {
  return path !== '' && parentOf(path) === of && path !== of
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** What a name is without its extension, and that. */
export function partsOf(name: string): readonly [stem: string, extension: string] {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

export function within(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

/** What a request says beside its path, by names; a body that has none is nameless. */
export function saidBy(query: object, sent: unknown): Readonly<Record<string, unknown>> {
  if (sent === undefined) return { ...query }
  return { ...query, ...(isObject(sent) ? sent : { '': sent }) }
}
