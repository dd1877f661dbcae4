import { basename, extname } from 'node:path'
import type { TextFile } from '../../data-files/text-file.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'

/** A file of a description, read. */
export interface Source extends TextFile {
  /** Whether parts of it may have names of their own: an `$anchor`, or an `$id`. */
  readonly hasNames: boolean
  readonly format: 'json' | 'yaml'
  /** Its content as OpenAPI 3 has it. */
  readonly value: unknown
  /** Where a place of `value` stands in the text, for a content that was converted. */
  readonly placeInText?: (path: readonly string[]) => readonly string[]
  /** Where a JSON pointer of the text leads in `value`, for a content that was converted. */
  readonly placeInValue?: (path: readonly string[]) => readonly string[]
}

/** A file of a description, by its text and what was read of it. */
export function createSource(given: TextFile, read: Pick<Source, 'format' | 'value'>): Source {
  return { ...given, hasNames: /\$(anchor|dynamicAnchor|id)\b/.test(given.text()), ...read }
}

/** A value of a description, and where it stands. */
export interface Node {
  readonly source: Source
  readonly value: unknown
  readonly parent: Node | undefined
  readonly key: string
}

/** The whole content of a file. */
export function rootOf(source: Source): Node {
  return { source, value: source.value, parent: undefined, key: '' }
}

/** What stands under a key or index; `undefined` where nothing does. */
export function childOf(node: Node, key: string): Node | undefined {
  const { source, value } = node
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
  const child = (value as Readonly<Record<string, unknown>>)[key]
  return child === undefined ? undefined : { source, value: child, parent: node, key }
}

/** What stands under each key of an object, in order; nothing for what is not an object. */
export function entriesOf(node: Node | undefined): readonly Node[] {
  return node === undefined || !isObject(node.value) ? [] : childrenOf(node)
}

/** The items of a list, in order; nothing for what is not a list. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node === undefined || !Array.isArray(node.value) ? [] : childrenOf(node)
}

function childrenOf(parent: Node): Node[] {
  const { source } = parent
  const values = parent.value as Readonly<Record<string, unknown>>
  return Object.keys(values).map((key) => ({ source, value: values[key], parent, key }))
}

/** Keys and indexes from the file's root. */
export function pathOf(node: Node): readonly string[] {
  const path: string[] = []
  for (let at: Node = node; at.parent !== undefined; at = at.parent) path.unshift(at.key)
  return path
}

/** A path as a JSON pointer's fragment (RFC 6901), such as `#/paths/~1pets`. */
export function pointerOf(path: readonly string[]): string {
  return `#${pointerTo(path)}`
}

/** The text under a key; `undefined` for anything else. */
export function textAt(node: Node, key: string): string | undefined {
  const value = childOf(node, key)?.value
  return typeof value === 'string' ? value : undefined
}

/** Whether a key holds `true`; `undefined` where it holds no boolean. */
export function flagAt(node: Node, key: string): boolean | undefined {
  const value = childOf(node, key)?.value
  return typeof value === 'boolean' ? value : undefined
}

/** The name of a schema that is one of a file's components, or a file's whole content; `undefined` for any other. */
export function componentName(node: Node): string | undefined {
  const path = pathOf(node)
  if (path.length === 0) return basename(node.source.file, extname(node.source.file))
  const holder = path.at(-2)
  const isNamed =
    path.length === 1 ||
    (path.length === 3 && path[0] === 'components' && holder === 'schemas') ||
    (path.length === 2 && (holder === 'definitions' || holder === '$defs' || holder === 'schemas'))
  return isNamed ? path.at(-1) : undefined
}

/** A name for any schema, by its place. */
export function nameOf(node: Node): string {
  const path = pathOf(node)
  const isNamed = NAMED.has(path.at(-2) ?? '')
  const name = componentName(node) ?? path.slice(isNamed ? -1 : -2).join('_')
  return name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '') || 'Model'
}

const NAMED = new Set(['$defs', 'definitions', 'properties'])

/** A name that is not taken: the wanted one, or with the first number that makes it another. */
export function freeName(wanted: string, taken: { has(name: string): boolean }): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  return name
}
