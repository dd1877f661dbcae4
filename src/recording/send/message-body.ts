import { isUtf8 } from 'node:buffer'
import { contentKindOf } from '../../media-type.ts'

/** What a body says, as far as single values of it can be found. */
export type MessageBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }

/** Bodies that are longer are not looked into. */
const MAX_BYTES = 8 * 1024 * 1024
/** How deep JSON is looked into. */
export const MAX_DEPTH = 64

/** Reads a body by what it looks like, since JSON comes under types of all kinds. */
export function readMessage(bytes: Buffer | undefined, contentType: string): MessageBody {
  if (bytes === undefined || bytes.length === 0 || bytes.length > MAX_BYTES || !isUtf8(bytes))
    return { kind: 'none' }
  const text = bytes.toString()
  if (/^\s*[[{"]/.test(text)) {
    try {
      return { kind: 'json', value: JSON.parse(text) }
    } catch {
      return { kind: 'text', text }
    }
  }
  return contentKindOf(contentType) === 'form'
    ? { kind: 'form', pairs: [...new URLSearchParams(text)] }
    : { kind: 'text', text }
}

/** The words of a text: what is between quotes, brackets and signs. */
export const TOKEN = /[^\s"'<>(),;=&?{}[\]|\\]+/g

/** What is between the parts of a word such as `sha256:…` or `bucket/key`. */
export const PARTS = /[/:@]/

/** Whether a text is a URL, or a path. */
export function isLocation(text: string): boolean {
  return /^(https?:\/\/[^\s/]|\/[^\s/])\S*$/i.test(text)
}

/** The path and the query of a URL or of a reference to a path. */
export function splitUrl(url: string): {
  readonly origin: string
  readonly path: string
  readonly search: string
} {
  const [, origin = '', path = '', search = ''] = /^(https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(url) ?? []
  return { origin, path, search: search.slice(1) }
}
