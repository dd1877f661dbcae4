import { unescape } from 'node:querystring'
import type { TextTree } from './text-tree.ts'

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

/** Deeper names are no brackets to us but a part of the name. */
const MOST_DEPTH = 32

/**
 * The values written with brackets after a name: `a[b]=1`, `a[b][c]=2`, `a[]=3`. A name that ends in empty brackets
 * holds a list, any other repeated name its last value.
 */
export function bracketTree(
  pairs: readonly Pair[],
  name: string,
  decode: (raw: string) => string,
): ReadonlyMap<string, TextTree> | undefined {
  const root: Branch = new Map()
  for (const [written, raw] of pairs) {
    const keys = written.startsWith(`${name}[`) ? bracketKeys(written.slice(name.length)) : undefined
    if (keys !== undefined) grow(root, keys, decode(raw))
  }
  return root.size === 0 ? undefined : root
}

type Branch = Map<string, string | TextTree[] | Branch>

function bracketKeys(brackets: string): readonly string[] | undefined {
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined
  const keys = brackets.slice(1, -1).split('][')
  return keys.length > MOST_DEPTH ? undefined : keys
}

function grow(root: Branch, keys: readonly string[], text: string): void {
  let branch = root
  for (const key of keys.slice(0, -1)) {
    const below = branch.get(key)
    const next: Branch = below instanceof Map ? below : new Map()
    branch.set(key, next)
    branch = next
  }
  const last = keys.at(-1) ?? ''
  if (last !== '') return void branch.set(last, text)
  const known = branch.get('')
  branch.set('', Array.isArray(known) ? [...known, text] : [text])
}
