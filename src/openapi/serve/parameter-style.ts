import { unescape } from 'node:querystring'
import { bracketTree } from '../../engine/bracket-names.ts'
import { groupBy } from '../../grouping.ts'
import type { Parameter } from '../../engine/operation.ts'
import type { Shape, TextTree } from './text-tree.ts'

/** How a value is written: the part of a parameter that its style is about. */
export type Style = Pick<Parameter, 'name' | 'style' | 'explode'>

/** What decoding a parameter may need to know besides its text. */
export interface Decoding {
  /** Percent-decodes one part, after the parts are separated (RFC 6570, section 3.2.1). */
  readonly decode: (raw: string) => string
  /** Whether a name that stands alone is a field of an exploded object. */
  readonly owns?: (name: string) => boolean
}

/** The value of a name among pairs, by OpenAPI's style table (Parameter Object); `undefined` where it is not there. */
export function decodeNamed(
  pairs: readonly Pair[],
  { name, style, explode }: Style,
  shape: Shape,
  { decode, owns = () => true }: Decoding,
): TextTree | undefined {
  if (shape === 'object' && explode && style !== 'deepObject') {
    const fields = pairs.filter(([field]) => owns(field))
    return fields.length === 0 ? bracketTree(pairs, name, decode) : groupByName(fields, decode)
  }
  const raws: string[] = []
  for (const [each, raw] of pairs) if (each === name) raws.push(raw)
  const last = raws.at(-1)
  if (last === undefined) return shape === 'text' ? undefined : bracketTree(pairs, name, decode)
  // A name that came several times is a list, where it may be one.
  if (shape === 'text') return raws.length === 1 ? decode(last) : raws.map(decode)
  if (raws.length === 1 && last === '') return shape === 'list' ? [] : new Map()
  const separator = explode ? undefined : (SEPARATORS.get(style) ?? ',')
  if (shape === 'object') return alternate(last.split(separator ?? ','), decode)
  return (separator === undefined ? raws : raws.flatMap((raw) => raw.split(separator))).map(decode)
}

// Clients write a space as a plus as well, and a bar often as it is.
const SEPARATORS: ReadonlyMap<Style['style'], RegExp> = new Map([
  ['spaceDelimited', /%20|\+| /],
  ['pipeDelimited', /%7C|\|/i],
])

/** The value of a text that holds nothing else: a path segment or a header. */
export function decodeBare(
  text: string,
  { style, explode, name }: Style,
  shape: Shape,
  { decode }: Decoding,
): TextTree | undefined {
  if (style === 'matrix') {
    const pairs = text.split(';').slice(1).map(pairOf)
    const decoded = pairs.map(([each, raw]): Pair => [decode(each), raw])
    return text.startsWith(';')
      ? decodeNamed(decoded, { name, style, explode }, shape, { decode })
      : undefined
  }
  if (style === 'label' && !text.startsWith('.')) return undefined
  const bare = style === 'label' ? text.slice(1) : text
  if (shape === 'text') return decode(bare)
  const parts = bare === '' ? [] : bare.split(style === 'label' && explode ? '.' : ',')
  if (shape === 'list') return parts.map(decode)
  if (!explode) return alternate(parts, decode)
  return new Map(parts.map(pairOf).map(([field, raw]) => [decode(field), decode(raw)]))
}

// `R,100,G,200`
function alternate(parts: readonly string[], decode: Decoding['decode']): ReadonlyMap<string, TextTree> {
  const entries = new Map<string, TextTree>()
  for (let i = 0; i < parts.length; i += 2) entries.set(decode(parts[i] ?? ''), decode(parts[i + 1] ?? ''))
  return entries
}

function groupByName(pairs: readonly Pair[], decode: Decoding['decode']): ReadonlyMap<string, TextTree> {
  const groups = groupBy(pairs, ([name]) => name)
  return new Map(
    [...groups].map(([name, own]): [string, TextTree] => {
      const texts = own.map(([, raw]) => decode(raw))
      return [name, texts.length === 1 ? (texts[0] ?? '') : texts]
    }),
  )
}

/** A name, decoded, and a value as it was written. */
export type Pair = readonly [name: string, raw: string]

/** Splits `name=value` at its first equals sign; the value of a bare name is empty. */
export function pairOf(text: string): Pair {
  const sign = text.indexOf('=')
  return sign < 0 ? [text, ''] : [text.slice(0, sign), text.slice(sign + 1)]
}

/** The pairs of a query or an urlencoded form, their values not yet decoded. */
export function formPairs(text: string): readonly Pair[] {
  if (text === '') return []
  const pairs: Pair[] = []
  for (const part of text.split('&')) {
    if (part === '') continue
    const [name, raw] = pairOf(part)
    pairs.push([decodeForm(name), raw])
  }
  return pairs
}

/** Decodes a text of a query or a form: plus is a space, and a malformed escape stands for itself. */
export function decodeForm(text: string): string {
  return text.includes('%') || text.includes('+') ? unescape(text.replaceAll('+', ' ')) : text
}

/** The pairs of a Cookie header (RFC 6265, section 5.4). */
export function cookiePairs(header: string): readonly Pair[] {
  if (header === '') return []
  return header
    .split(';')
    .filter((part) => part.includes('='))
    .map(pairOf)
    .map(([name, raw]) => [name.trim(), raw.trim().replace(/^"(.*)"$/, '$1')])
}
