const BLANK = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** What may come next: a value, a key, or what ends or separates them. */
type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/** The offset at which a text stops being JSON (RFC 8259); `undefined` for JSON. It says where, and never what. */
export function findJsonMistake(text: string): number | undefined {
  const open: ('[' | '{')[] = []
  let wanted: Wanted = 'value'
  let at = 0

  for (;;) {
    at = endOf(BLANK, text, at) ?? at
    const next = text[at]
    if (next === undefined) return wanted === ', or end' && open.length === 0 ? undefined : at
    let end: number | undefined = at + 1

    if ((next === ']' || next === '}') && closes(next, wanted, open.at(-1))) {
      open.pop()
      wanted = ', or end'
    } else if (next === ',' && wanted === ', or end' && open.length > 0) {
      wanted = open.at(-1) === '{' ? 'key' : 'value'
    } else if (next === ':' && wanted === ':') {
      wanted = 'value'
    } else if (next === '"' && wanted.startsWith('key')) {
      end = endOfString(text, at)
      wanted = ':'
    } else if (!wanted.startsWith('value')) {
      return at
    } else if (next === '[' || next === '{') {
      open.push(next)
      wanted = next === '[' ? 'value or ]' : 'key or }'
    } else {
      end = next === '"' ? endOfString(text, at) : (endOf(NUMBER, text, at) ?? endOf(NAME, text, at))
      wanted = ', or end'
    }
    if (end === undefined) return at
    at = end
  }
}

function closes(next: ']' | '}', wanted: Wanted, opened: '[' | '{' | undefined): boolean {
  if (opened !== (next === ']' ? '[' : '{')) return false
  return wanted === ', or end' || wanted === (next === ']' ? 'value or ]' : 'key or }')
}

/** The offset after a string; `undefined` where it does not end as one. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') return at + 1
    if (character < ' ') return undefined
    if (character !== '\\') continue
    const end = endOf(ESCAPE, text, at)
    if (end === undefined) return undefined
    at = end - 1
  }
  return undefined
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** An offset in a text as people count: `line 2, column 14`. */
export function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
