import { isUtf8 } from 'node:buffer'
import { contentKindOf } from '../../media-type.ts'

/** What a body says, as far as single values of it can be found. */
export type MessageBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }

/** Before the digits of a number that JavaScript's numbers would change; no text of a message begins so. */
const EXACT = '\uE000number '
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const WRITTEN_EXACT = new RegExp(`"${EXACT}([^"]*)"`, 'g')

// Numbers that would lose digits, or be written otherwise, become texts that say so.
function readJson(text: string): unknown {
  const exact = text.replaceAll(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${EXACT}${token}"`,
  )
  return JSON.parse(exact)
}

/** The JSON text of what was read, numbers with all their digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(WRITTEN_EXACT, '$1')
}

/** The digits of a number; `undefined` for what is not one. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.startsWith(EXACT) ? value.slice(EXACT.length) : undefined
}

/** A text as the number that it is in JSON, with all its digits; as a text where it is not one. */
export function numberOf(text: string): unknown {
  if (String(Number(text)) === text) return Number(text)
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? `${EXACT}${text}` : text
}

/** Bodies that are longer are not looked into. */
const MAX_BYTES = 8 * 1024 * 1024
/** How deep JSON is looked into. */
export const MAX_DEPTH = 64

/** Reads a body by what it looks like, since JSON comes under types of all kinds. */
export function readMessage(bytes: Buffer | undefined, contentType = ''): MessageBody {
  if (bytes === undefined || bytes.length === 0 || bytes.length > MAX_BYTES || !isUtf8(bytes))
    return { kind: 'none' }
  const text = bytes.toString()
  if (/^\s*[[{"]/.test(text)) {
    try {
      return { kind: 'json', value: readJson(text) }
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
