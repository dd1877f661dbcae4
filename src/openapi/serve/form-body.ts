import { looksLikeJson, parseJsonText } from '../../engine/json-text.ts'
import { fieldSchemasOf } from '../../engine/schema/fields.ts'
import { createResolver, type Schema } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Encoding } from '../../engine/operation.ts'
import { bracketTree, decodeForm, formPairs, type Pair } from './pairs.ts'
import { decodeNamed } from './parameter-style.ts'
import { createTreeReaders, type TextTree, type TreeReader } from './text-tree.ts'

type Encodings = Readonly<Record<string, Encoding>>

/** Makes the reader of an urlencoded body's fields, each written as its encoding says (OpenAPI 3.1, Encoding Object). */
export function createFormReader(model: Schema, encodings: Encodings): (text: string) => unknown {
  const resolve = createResolver(model)
  const { declared, other } = fieldSchemasOf(model, resolve)
  const readerOf = createTreeReaders(resolve)
  // An exploded object's own name is not written.
  const unwritten = [...declared.keys()].filter((name) => encodings[name]?.style !== undefined)
  const spread = unwritten
    .filter((name) => encodings[name]?.style === 'form' && encodings[name]?.explode !== false)
    .flatMap((name) => [...(readerOf(declared.get(name) ?? true).fields?.declared.keys() ?? [])])

  return (text) => {
    const pairs = formPairs(text)
    const names = new Set([...pairs.map(([name]) => fieldNameOf(name)), ...unwritten])
    for (const name of spread) if (!declared.has(name)) names.delete(name)
    const entries = [...names].flatMap((name): [string, unknown][] => {
      const reader = readerOf(declared.get(name) ?? other(name))
      const tree = fieldTree(pairs, name, reader, encodings[name] ?? {})
      return tree === undefined ? [] : [[name, reader.read(tree)]]
    })
    return Object.fromEntries(entries)
  }
}

/** The field that a name in a form is about: what stands before its brackets. */
export function fieldNameOf(name: string): string {
  return name.replace(/(?<=.)\[.*$/s, '')
}

/** What was written for one field of a form; `undefined` where it is not there. */
export function fieldTree(
  pairs: readonly Pair[],
  name: string,
  { shapes, fields }: TreeReader,
  { contentType, style, explode = style === undefined || style === 'form' }: Encoding,
  decode: (raw: string) => string = decodeForm,
): TextTree | undefined {
  const texts = pairs.filter(([each]) => each === name || each === `${name}[]`).map(([, raw]) => decode(raw))
  const isJson = contentType !== undefined && mediaKindOf(contentType) === 'json'
  const seemsJson = style === undefined && !shapes.includes('text') && texts.some(looksLikeJson)
  if (texts.length > 0 && (isJson || seemsJson)) {
    const values = texts.map((text) => ({ value: parseJsonText(text, ['body', name]) }))
    return wholeOf(values, shapes.includes('list'))
  }
  const bracketed = bracketTree(pairs, name, decode)
  if (bracketed !== undefined) return bracketed
  for (const shape of shapes) {
    const isExploded = explode && (shape !== 'object' || style !== undefined)
    const tree = decodeNamed(pairs, { name, style: style ?? 'form', explode: isExploded }, shape, {
      decode,
      owns: (field) => fields?.declared.has(field) ?? false,
    })
    if (tree !== undefined) return tree
  }
  return undefined
}

/** Several values as one: a list of them, unless the only one is the list itself, or there is to be none. */
export function wholeOf(trees: readonly TextTree[], isList: boolean): TextTree {
  const last = trees.at(-1) ?? ''
  const isWhole =
    trees.length === 1 && typeof last === 'object' && 'value' in last && Array.isArray(last.value)
  return !isList || isWhole ? last : trees
}
