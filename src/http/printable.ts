/** Controls, and what changes how the text around it is shown: direction, invisible characters, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const ASCII = /^[\x20-\x7e]*$/

/** A text of others as a terminal may get it: on one line, and with nothing in it that a terminal obeys. */
export function printable(text: string): string {
  return ASCII.test(text) ? text : text.replace(UNSAFE, escaped)
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped)
}

/** The same for a line of JSON, which says what it said. */
export function printableJson(line: string): string {
  return ASCII.test(line.slice(0, -1)) ? line : line.replace(UNSAFE_IN_LINES, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
