/** What may stand before the `/` of a regular expression (ECMA-262, section 12). */
const BEFORE_REGEX =
  /(?:^|[-(,=:[!&|?{};+*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new))\s*$/
const MAX_BEFORE = 40
const REGEX = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
/** Where what is not code begins or ends. */
const NEXT = /["'\x60{}]|\/(?:[/*]|(?=.))/g
const TEMPLATE_NEXT = /\\[\s\S]|\x60|\$\{/g
const LITERAL_END = /\\[\s\S]|["'\n]/g

/** Finds whether a place in a script is in the text of a template literal. The time is linear in the script's length. */
export function findTemplates(script: string): (at: number) => boolean {
  const starts: number[] = []
  const ends: number[] = []
  // How deep the braces are within each of the expressions of templates that are open.
  const depths: number[] = []
  let at = 0
  const readTemplate = (): void => {
    starts.push(at)
    const found = next(TEMPLATE_NEXT, script, at, (mark) => !mark.startsWith('\\'))
    ends.push(found?.index ?? script.length)
    at = found === undefined ? script.length : found.index + found[0].length
    if (found?.[0] === '${') depths.push(0)
  }
  for (let found = find(NEXT, script, at); found !== undefined; found = find(NEXT, script, at)) {
    const { 0: mark, index } = found
    at = index + mark.length
    if (mark === '\x60') readTemplate()
    else if (mark === '{' || mark === '}') {
      const depth = depths.pop()
      if (depth === undefined) continue
      if (mark === '{') depths.push(depth + 1)
      else if (depth > 0) depths.push(depth - 1)
      else readTemplate()
    } else if (mark === '//') at = endAfter(script, '\n', at)
    else if (mark === '/*') at = endAfter(script, '*/', at)
    else if (mark === '/') at = endOfRegex(script, index)
    else {
      const end = next(LITERAL_END, script, at, (each) => each === mark || each === '\n')
      at = end === undefined ? script.length : end.index + 1
    }
  }
  return (place) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return place < (ends[low - 1] ?? 0)
  }
}

function find(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  return pattern.exec(text) ?? undefined
}

function next(
  pattern: RegExp,
  text: string,
  from: number,
  isEnd: (mark: string) => boolean,
): RegExpExecArray | undefined {
  for (
    let found = find(pattern, text, from);
    found !== undefined;
    found = find(pattern, text, found.index + found[0].length)
  )
    if (isEnd(found[0])) return found
  return undefined
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

function endOfRegex(script: string, at: number): number {
  if (!BEFORE_REGEX.test(script.slice(Math.max(0, at - MAX_BEFORE), at))) return at + 1
  REGEX.lastIndex = at
  return REGEX.test(script) ? REGEX.lastIndex : at + 1
}
