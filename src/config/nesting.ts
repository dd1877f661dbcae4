const MOST_LEVELS = 100
const INDICATORS = new RegExp(String.raw`(?:[-?:][ \t]+){${MOST_LEVELS}}`)
const INDENTATION = new RegExp(String.raw`^ {${2 * MOST_LEVELS}}`)

/**
 * The first line of a YAML text that may nest deeper than its parser's recursion can go; `undefined` when none may.
 * Brackets inside texts count too: what this refuses is far from anything people write.
 */
export function findDeepNesting(text: string): number | undefined {
  let open = 0
  for (const [index, line] of text.split('\n').entries()) {
    for (const letter of line) {
      if (letter === '[' || letter === '{') open++
      else if ((letter === ']' || letter === '}') && open > 0) open--
      if (open > MOST_LEVELS) return index + 1
    }
    if (INDICATORS.test(line) || INDENTATION.test(line)) return index + 1
  }
  return undefined
}
