/** Stands for anything: within a line for the rest of its word or line, alone on a line for any lines. */
const ANYTHING = '…'

/** What is wrong with an output that a page promises; `undefined` when nothing is. */
export function findDifference(language: string, expected: string, actual: string): string | undefined {
  const same = language === 'json' ? matchesJson(expected, actual) : matchesText(expected, actual)
  return same ? undefined : `The page says:\n${expected}\n\nbut this was printed:\n${actual}`
}

function matchesJson(expected: string, actual: string): boolean {
  try {
    return matchesValue(JSON.parse(expected), JSON.parse(actual))
  } catch {
    return false
  }
}

// Keys must come in the promised order: it is what the reader sees.
function matchesValue(expected: unknown, actual: unknown): boolean {
  if (expected === ANYTHING) return true
  if (typeof expected === 'string' && typeof actual === 'string') return matchesText(expected, actual)
  if (expected === null || actual === null || typeof expected !== 'object' || typeof actual !== 'object')
    return expected === actual
  const [wanted, found] = [Object.entries(expected), Object.entries(actual)]
  const open = wanted.at(-1)?.[1] === ANYTHING && (Array.isArray(expected) || wanted.at(-1)?.[0] === ANYTHING)
  const sure = open ? wanted.slice(0, -1) : wanted
  return (
    Array.isArray(expected) === Array.isArray(actual) &&
    (open ? found.length >= sure.length : found.length === sure.length) &&
    sure.every(([key, value], index) => {
      const [foundKey, foundValue] = found[index] ?? []
      return key === foundKey && matchesValue(value, foundValue)
    })
  )
}

function matchesText(expected: string, actual: string): boolean {
  const literals = trimmed(expected).split(ANYTHING).map(escape)
  return new RegExp(`^${literals.join('[^]*?')}$`).test(trimmed(actual))
}

// Line ends of HTTP heads and blanks at the ends of lines cannot be seen on a page.
function trimmed(text: string): string {
  return text.replace(/[ \t\r]+$/gm, '').trim()
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
