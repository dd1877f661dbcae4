import { basename, extname } from 'node:path'
import { pathOf, type Node } from './node.ts'

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
  return name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^_+|_+$/g, '') || 'Model'
}

const NAMED = new Set(['$defs', 'definitions', 'properties'])
