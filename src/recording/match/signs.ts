/** How alike the kinds of signs of two texts are, from 0 to 1: names are more like names than like expressions. */
export function sameSigns(some: readonly string[], others: readonly string[]): number {
  // What cannot be read fails in its own way.
  if (some.includes(UNCLOSED) !== others.includes(UNCLOSED)) return 0
  let shared = 0
  for (const sign of some) if (others.includes(sign)) shared++
  return shared / Math.max(1, some.length + others.length - shared)
}

const MAX_SIGNS = 100
const UNCLOSED = 'unclosed bracket'

/** The kinds of signs that a text has: `a` for letters, `0` for digits, and others as they are. */
export function signsOf(text: string): readonly string[] {
  const signs = new Set(text.slice(0, MAX_SIGNS).replaceAll(/[a-z]/gi, 'a').replaceAll(/\d/g, '0'))
  return hasUnclosed(text) ? [...signs, UNCLOSED] : [...signs]
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

// Whether brackets of an expression are not closed, or closed in another order; those within quotes are text.
function hasUnclosed(text: string): boolean {
  const open: string[] = []
  let quote: string | undefined
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote !== undefined) {
      if (sign === '\\') at++
      else if (sign === quote) quote = undefined
      continue
    }
    const closing = CLOSING[sign]
    if (sign === '"' || sign === "'") quote = sign
    else if (closing !== undefined) open.push(closing)
    else if (/[)\]}]/.test(sign) && open.pop() !== sign) return true
  }
  return open.length > 0
}
