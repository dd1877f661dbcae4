/** Controls, and what changes how the text around it is shown: direction, invisible characters, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const ASCII = /^[\x20-\x7e]*$/
const ASCII_LINE = /^[\x20-\x7e]*\n?$/

/** A text of others as a terminal may get it: on one line, and with nothing in it that a terminal obeys. */
export function printable(text: string): string {
  return ASCII.test(text) ? text : text.replace(UNSAFE, escaped)
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped)
}

/** The same for JSON, with or without the end of its line; it says what it said. */
export function printableJson(json: string): string {
  return ASCII_LINE.test(json) ? json : json.replace(UNSAFE_IN_LINES, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
