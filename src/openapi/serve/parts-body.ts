import { InputInvalid } from '../../errors.ts'
import { looksLikeJson, parseJsonText } from '../../engine/json-text.ts'
import { fieldSchemasOf } from '../../engine/schema/fields.ts'
import { createResolver, type Schema } from '../../engine/schema/schema.ts'
import { fieldNameOf, fieldTree, wholeOf } from './form-body.ts'
import { matchMediaType } from './match-media-type.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Encoding } from '../../engine/operation.ts'
import type { Pair } from './pairs.ts'
import type { ReceivedPart } from './received-body.ts'
import { createTreeReaders, type Shape, type TextTree } from './text-tree.ts'

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

  return (parts) => {
    for (const part of parts) checkType(part, encodings[part.name]?.contentType)
    const pairs = parts.flatMap(({ name, content }): Pair[] =>
      typeof content === 'string' ? [[name, content]] : [],
    )
    const names = new Set(parts.map(({ name }) => fieldNameOf(name)))
    const entries = [...names].map((name): [string, unknown] => {
      const reader = readerOf(declared.get(name) ?? other(name))
      const own = parts.filter((part) => part.name === name || part.name === `${name}[]`)
      const { contentType, ...style } = encodings[name] ?? {}
      const isRead = own.some((part) => typeof part.content !== 'string' || isJson(part, contentType))
      const tree = isRead
        ? wholeOf(
            own.map((part) => partTree(part, contentType, reader.shapes)),
            reader.shapes.includes('list'),
          )
        : fieldTree(pairs, name, reader, style, (text) => text)
      return [name, reader.read(tree ?? '')]
    })
    return Object.fromEntries(entries)
  }
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
