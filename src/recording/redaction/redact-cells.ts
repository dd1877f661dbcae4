import { looksCoined, looksRandom } from './random-look.ts'
import type { Secrets } from './secrets.ts'

const AROUND = String.raw`(?:code|pre|span|kbd|samp|b|strong|em)`
// A cell or term, and the one behind it.
const CELLS = new RegExp(
  String.raw`<(?:th|td|dt)(?:\s[^<>]{0,200})?>\s{0,40}(?:<${AROUND}(?:\s[^<>]{0,200})?>)?([\w .-]{2,60}):?(?:</${AROUND}>)?:?\s{0,40}</(?:th|td|dt)>` +
    String.raw`\s{0,40}<(?:td|dd)(?:\s[^<>]{0,200})?>\s{0,40}(?:<${AROUND}(?:\s[^<>]{0,200})?>)?([^<>\s]{4,4000})(?=\s{0,40}<)`,
  'gi',
)
// What texts call by its name, both in quotes of Markdown.
const IN_TEXT = /\x60([\w.-]{2,60})\x60(?: (?:to|is|as|with|=)|:) \x60([^\x60\s]{4,4000})(?=\x60)/g

const IN_TABLE =
  /\|[ \t]{1,40}\x60?([\w.-]{2,60})\x60?[ \t]{1,40}\|[ \t]{1,40}\x60?([^|\s\x60]{4,4000})(?=\x60?[ \t]{0,40}\|)/g

/** Hides values beside their secret names in tables and lists of pages, and in texts of Markdown. */
export function redactCells(text: string, secrets: Secrets): string {
  const cells = /<\/(?:th|td|dt)>/i.test(text) ? hide(text, CELLS, secrets) : text
  const texts = cells.includes('\x60 ') ? hide(cells, IN_TEXT, secrets) : cells
  return texts.includes('|--') || texts.includes('| --') || texts.includes('|:-')
    ? hide(texts, IN_TABLE, secrets)
    : texts
}

// Pages say of names what they are for: a plain word is seldom a value.
function hide(text: string, pattern: RegExp, { hides, pseudonymize }: Secrets): string {
  return text.replaceAll(pattern, (whole, name: string, value: string) =>
    (looksCoined(value) || looksRandom(value)) && hides(name.trim(), value)
      ? whole.slice(0, -value.length) + pseudonymize(value)
      : whole,
  )
}
