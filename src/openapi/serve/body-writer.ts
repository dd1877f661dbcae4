import type { HttpRequest, WrittenContent } from '../../message.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { WrittenValue } from '../../engine/schema/written-value.ts'
import { mediaKindOf } from '../../media-type.ts'
import { KeptContent, type OwnUrls } from './own-urls.ts'
import { createWriter } from './write-body.ts'

/** Writes the bodies of one form as they are sent. */
export interface BodyWriter {
  /** Says of a body, or of an item of one, that it is kept: what is written of it is kept then as well. */
  keep(value: object): void
  /** @param call where the URLs of what is described lead back to; absent where they stay as they are */
  write(body: unknown, call?: HttpRequest): WrittenContent
}

/** What bodies are written by. */
export interface WriterOptions {
  readonly type: string
  readonly model: Schema
  readonly urls: OwnUrls
  /** Where bodies hold a list: the names that lead to it, none for bodies that are one. */
  readonly list: { readonly path: readonly string[] } | undefined
}

/** The writer of a form's bodies. */
export function createBodyWriter({ type, model, urls, list }: WriterOptions): BodyWriter {
  const writeAs = createWriter(type, model)
  const hasItems = list !== undefined && mediaKindOf(type) === 'json'
  const written = new WeakMap<object, KeptContent | typeof NOT_YET>()

  const keptOf = (value: unknown): KeptContent | undefined => {
    const known = typeof value === 'object' && value !== null ? written.get(value) : undefined
    if (known !== NOT_YET) return known
    const content = new KeptContent(writeAs(value))
    written.set(value as object, content)
    return content
  }
  const led = (content: WrittenContent, call: HttpRequest | undefined): WrittenContent =>
    call === undefined ? content : urls.leadBack(content, call, model)
  const itemsText = (items: readonly unknown[], call: HttpRequest | undefined): string | undefined => {
    let text = '['
    for (let index = 0; index < items.length; index++) {
      const own = items[index]
      const item = own instanceof WrittenValue ? { type, data: own.json } : keptOf(own)
      if (item === undefined) return undefined
      if (index > 0) text += ','
      text += led(item, call).data as string
    }
    return `${text}]`
  }
  // The items of most lists are kept, and only what is around them is not.
  const listText = (
    body: unknown,
    [field, ...deeper]: readonly string[],
    call: HttpRequest | undefined,
  ): string | undefined => {
    if (field === undefined) return Array.isArray(body) && body.length > 0 ? itemsText(body, call) : undefined
    if (!isObject(body)) return undefined
    const own = listText(body[field], deeper, call)
    if (own === undefined) return undefined
    const entries = Object.keys(body).flatMap((name) => {
      const text =
        name === field ? own : led({ type, data: JSON.stringify(body[name]) ?? '' }, call).data.toString()
      return text === '' ? [] : [`${JSON.stringify(name)}:${text}`]
    })
    return `{${entries.join(',')}}`
  }

  return {
    keep: (value) => void (written.has(value) || written.set(value, NOT_YET)),
    write(body, call) {
      const kept = keptOf(body)
      if (kept !== undefined) return led(kept, call)
      const text = hasItems ? listText(body, list.path, call) : undefined
      return text === undefined ? led(writeAs(body), call) : { type, data: text }
    },
  }
}

const NOT_YET = Symbol('not yet')
