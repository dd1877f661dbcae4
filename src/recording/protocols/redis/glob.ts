/** What distinguishes the keys of a pattern, such as `user:*` or `h[ae]llo`. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern).map((part): Part => {
    if (part === '*') return '*'
    if (part === '?') return () => true
    if (part.startsWith('\\') && part.length > 1) return (sign) => sign === part.slice(1)
    if (part.startsWith('[') && part.endsWith(']') && part.length > 1) return classOf(part.slice(1, -1))
    return (sign) => sign === part
  })
  return (text) => matches(parts, Array.from(text))
}

type Part = '*' | ((sign: string) => boolean)

/** The signs of a pattern, where what is escaped and what is in brackets is one. */
function partsOf(pattern: string): string[] {
  const signs = Array.from(pattern)
  const parts: string[] = []
  let closing = 0
  for (let at = 0; at < signs.length;) {
    const sign = signs[at] ?? ''
    // A bracket that nothing closes is looked for once.
    if (sign === '[' && closing !== -1 && closing <= at) closing = signs.indexOf(']', at)
    const end = sign === '[' && closing > at ? closing + 1 : sign === '\\' ? at + 2 : at + 1
    parts.push(signs.slice(at, end).join(''))
    at = end
  }
  return parts
}

function classOf(text: string): (sign: string) => boolean {
  const isOther = text.startsWith('^')
  const ranges = [...text.slice(isOther ? 1 : 0).matchAll(/(.)-(.)|\\?(.)/gsu)].map(
    ([, from, to, only = '']) => [from ?? only, to ?? only] as const,
  )
  return (sign) =>
    ranges.some(([from, to]) => (from <= sign && sign <= to) || (to <= sign && sign <= from)) !== isOther
}

// A star takes one more sign each time that what follows it does not match.
function matches(parts: readonly Part[], signs: readonly string[]): boolean {
  let [at, part] = [0, 0]
  let star: readonly [at: number, part: number] | undefined
  while (at < signs.length) {
    const next = parts[part]
    if (next === '*') star = [at, part++]
    else if (next?.(signs[at] ?? '') === true) {
      at++
      part++
    } else if (star === undefined) return false
    else {
      star = [star[0] + 1, star[1]]
      at = star[0]
      part = star[1] + 1
    }
  }
  return parts.slice(part).every((each) => each === '*')
}
