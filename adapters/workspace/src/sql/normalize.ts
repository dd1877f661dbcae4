const QUOTES = new Set(["'", '"', '`'])
const WORD = /[^\s'"`/-]/

/**
 * A statement as normalized matchers compare it: without comments, final semicolons and superfluous blanks, and in
 * lower case outside of quotes. Reads each character once.
 */
export function normalizeSql(text: string): string {
  const parts: string[] = []
  let isBlankDue = false
  const push = (part: string): void => {
    parts.push(isBlankDue && parts.length > 0 ? ` ${part}` : part)
    isBlankDue = false
  }
  for (let at = 0; at < text.length;) {
    const end = endOfBlank(text, at)
    if (end > at) {
      isBlankDue = true
      at = end
      continue
    }
    const next = QUOTES.has(text.charAt(at)) ? endOfQuote(text, at) : endOfWord(text, at)
    const part = text.slice(at, next)
    push(QUOTES.has(part.charAt(0)) ? part : part.toLowerCase())
    at = next
  }
  return withoutEnd(parts.join(''))
}

function endOfBlank(text: string, at: number): number {
  if (/\s/.test(text.charAt(at))) return at + 1
  if (text.startsWith('--', at)) return orEnd(text, text.indexOf('\n', at))
  if (text.startsWith('/*', at)) return orEnd(text, text.indexOf('*/', at + 2), 2)
  return at
}

// A quote is doubled or escaped within itself; doubled ones read as two quotes side by side, which is the same here.
function endOfQuote(text: string, at: number): number {
  const quote = text.charAt(at)
  for (let next = at + 1; next < text.length; next += 1) {
    if (text.charAt(next) === '\\' && quote !== '`') next += 1
    else if (text.charAt(next) === quote) return next + 1
  }
  return text.length
}

function endOfWord(text: string, at: number): number {
  let next = at + 1
  while (next < text.length && WORD.test(text.charAt(next))) next += 1
  return next
}

function orEnd(text: string, found: number, length = 0): number {
  return found < 0 ? text.length : found + length
}

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' ;'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
