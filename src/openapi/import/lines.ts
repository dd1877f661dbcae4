import { isAlias, isMap, isPair, isScalar, isSeq, type Document } from 'yaml'
import { linesInJson } from './json-lines.ts'
import type { Source } from './node.ts'
import { composeYaml } from './read-text.ts'

/** The lines of places in a file's text, counted from 1: of each its key's, or that of the nearest place above. */
export function linesOf(source: Source, paths: readonly (readonly string[])[]): number[] {
  return source.format === 'json' ? linesInJson(source.text, paths) : linesInYaml(source.text, paths)
}

function linesInYaml(text: string, paths: readonly (readonly string[])[]): number[] {
  const composed = composeYaml(text)
  if (composed === undefined) return paths.map(() => 1)
  const { document, lines } = composed
  return paths.map((path) => lines.linePos(offsetOf(document, path)).line)
}

function offsetOf(document: Document, path: readonly string[]): number {
  let offset = 0
  let node: unknown = document.contents
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = (isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined) ?? offset
      continue
    }
    const pair = isMap(node)
      ? node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key)
      : undefined
    if (pair === undefined || !isScalar(pair.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
