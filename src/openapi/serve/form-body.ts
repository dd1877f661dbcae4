import { bracketTree } from '../../engine/bracket-names.ts'
import { looksLikeJson, parseJsonText } from '../../engine/json-text.ts'
import type { Encoding } from '../../engine/operation.ts'
import { fieldSchemasOf, type FieldSchemas } from '../../engine/schema/fields.ts'
import { createResolver, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { InputInvalid } from '../../errors.ts'
import { matchMediaType } from './choose-media-type.ts'
import { mediaKindOf } from '../../media-type.ts'
import { decodeForm, formPairs, type Pair, decodeNamed } from './parameter-style.ts'
import type { ReceivedFile, ReceivedPart } from '../../http/read-multipart.ts'
import { createTreeReaders, type TextTree, type TreeReader, type Shape } from './text-tree.ts'

type Encodings = Readonly<Record<string, Encoding>>

/** Makes the reader of an urlencoded body's fields, each written as its encoding says (OpenAPI 3.1, Encoding Object). */
export function createFormReader(model: Schema, encodings: Encodings): (text: string) => unknown {
  const resolve = createResolver(model)
  const { declared, other } = fieldSchemasOf(model, resolve)
  const readerOf = createTreeReaders(resolve)
  const namesAmong = createNaming(declared, encodings, readerOf)

  return (text) => {
    const pairs = formPairs(text)
    const byField = groupBy(pairs, ([name]) => fieldNameOf(name))
    const entries = [...namesAmong(byField.keys())].flatMap((name): [string, unknown][] => {
      const reader = readerOf(declared.get(name) ?? other(name))
      const { style } = encodings[name] ?? {}
      const own = style === undefined ? (byField.get(name) ?? []) : pairs
      const tree = fieldTree(own, name, reader, encodings[name] ?? {})
      return tree === undefined ? [] : [[name, reader.read(tree)]]
    })
    return Object.fromEntries(entries)
  }
}

// The names of a form's fields, as far as they may be there: an exploded object's own name is not written, but its fields.
function createNaming(
  declared: FieldSchemas['declared'],
  encodings: Encodings,
  readerOf: (schema: SchemaOrBoolean) => TreeReader,
): (written: Iterable<string>) => ReadonlySet<string> {
  const unwritten = [...declared.keys()].filter((name) => encodings[name]?.style !== undefined)
  const spread = unwritten
    .filter((name) => encodings[name]?.style === 'form' && encodings[name]?.explode !== false)
    .flatMap((name) => [...(readerOf(declared.get(name) ?? true).fields?.declared.keys() ?? [])])
    .filter((name) => !declared.has(name))
  return (written) => {
    const names = new Set([...written, ...unwritten])
    for (const name of spread) names.delete(name)
    return names
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
  // By OpenAPI 3.0 a style counts in urlencoded forms alone, and an object in parts is JSON whatever its style.
  const mayBeJson = style === undefined ? !shapes.includes('text') : shapes.join() === 'object'
  const seemsJson = mayBeJson && texts.some(looksLikeJson)
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

/**
 * Makes the reader of a multipart body (RFC 7578). Texts are read by the model, JSON parts as JSON; a file is its
 * description, or its name where the model asks for a text.
 */
export function createPartsReader(
  model: Schema,
  encodings: Readonly<Record<string, Encoding>>,
): (parts: readonly ReceivedPart[]) => unknown {
  const resolve = createResolver(model)
  const { declared, other } = fieldSchemasOf(model, resolve)
  const readerOf = createTreeReaders(resolve)
  const namesAmong = createNaming(declared, encodings, readerOf)

  return (parts) => {
    for (const part of parts) checkType(part, encodings[part.name]?.contentType)
    const pairs = pairsOf(parts)
    const byField = groupBy(parts, ({ name }) => fieldNameOf(name))
    const entries = [...namesAmong(byField.keys())].flatMap((name): [string, unknown][] => {
      const written = byField.get(name) ?? []
      const reader = readerOf(declared.get(name) ?? other(name))
      const own = written.filter((part) => part.name === name || part.name === `${name}[]`)
      const { contentType, ...style } = encodings[name] ?? {}
      const isRead = own.some((part) => typeof part.content !== 'string' || isJson(part, contentType))
      const tree = isRead
        ? wholeOf(
            own.map((part) => partTree(part, contentType, reader.shapes)),
            reader.shapes.includes('list'),
          )
        : fieldTree(style.style === undefined ? pairsOf(written) : pairs, name, reader, style, (text) => text)
      return tree === undefined && written.length === 0 ? [] : [[name, reader.read(tree ?? '')]]
    })
    const body = Object.fromEntries(entries)
    filesOf.set(
      body,
      parts.flatMap(({ content }) => (typeof content === 'string' ? [] : [content])),
    )
    return body
  }
}

// A field that is a text has no more of its file than the name.
const filesOf = new WeakMap<object, readonly ReceivedFile[]>()

/** The files of a multipart body that was read. */
export function filesIn(body: unknown): readonly ReceivedFile[] {
  return (typeof body === 'object' && body !== null && filesOf.get(body)) || []
}

function pairsOf(parts: readonly ReceivedPart[]): readonly Pair[] {
  return parts.flatMap(({ name, content }): Pair[] => (typeof content === 'string' ? [[name, content]] : []))
}

function checkType({ name, contentType, content }: ReceivedPart, expected: string | undefined): void {
  if (expected === undefined || typeof content === 'string') return
  const types = expected.split(',').map((each) => each.trim())
  if (matchMediaType(contentType, types) !== undefined) return
  const msg = `Expected a part of ${types.join(' or ')}, not ${contentType}`
  throw new InputInvalid([{ type: 'content_type', loc: ['body', name], msg, input: contentType }])
}

// A text without a type of its own has the one that the description gives it.
function isJson({ contentType }: ReceivedPart, expected: string | undefined): boolean {
  return mediaKindOf(contentType === 'text/plain' ? (expected ?? contentType) : contentType) === 'json'
}

function partTree(part: ReceivedPart, expected: string | undefined, shapes: readonly Shape[]): TextTree {
  const { name, content } = part
  if (typeof content !== 'string') {
    return shapes.includes('object') ? { value: content } : (content.filename ?? name)
  }
  const seemsJson = !shapes.includes('text') && looksLikeJson(content)
  return isJson(part, expected) || seemsJson ? { value: parseJsonText(content, ['body', name]) } : content
}
