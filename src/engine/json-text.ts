import { parse } from 'secure-json-parse'
import { InputInvalid } from '../errors.ts'

const MAX_NESTING = 200

/**
 * Reads a text of a request as JSON (RFC 8259).
 * @param place where the text came from, for the issue
 * @throws InputInvalid when it is not JSON, nests deeper than 200 levels, or holds a key such as `__proto__`
 */
export function parseJsonText(text: string, place: readonly (string | number)[]): unknown {
  const invalid = (msg: string): InputInvalid =>
    new InputInvalid([{ type: 'json_invalid', loc: place, msg, input: text.slice(0, 200) }])
  if (text.length > MAX_NESTING && nesting(text) > MAX_NESTING)
    throw invalid(`Nested deeper than ${MAX_NESTING} levels`)
  try {
    return parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw invalid((error as Error).message)
  }
}

// Brackets inside texts count too: a bound that is a little too strict costs less than parsing to find out.
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    // Brackets and braces differ in one bit.
    const code = text.charCodeAt(index) | 0x20
    if (code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d) depth--
  }
  return deepest
}

/** Whether a text is written as a JSON object or list. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}
