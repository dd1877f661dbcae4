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

/** What a sentence of a page says of its name, in an element of its own. */
const IN_SENTENCE = new RegExp(
  String.raw`\b([A-Za-z][\w -]{2,60}?)(?:\s(?:is|was):?|:)\s{0,9}<${AROUND}(?:\s[^<>]{0,200})?>\s{0,9}([^<>\s]{6,4000})(?=\s{0,9}</)`,
  'gi',
)
const SAYS_SECRET =
  /(?:passw(?:or)?d|passcode|passphrase|secret|token|key|code)(?:\s(?:is|was):?|:)\s{0,9}<(?:code|pre|span|kbd|samp|b|strong|em)\b/i
const AREA =
  /<textarea\s(?:[^<>]{0,400}?\s)?name\s{0,9}=\s{0,9}["']?([\w.[\]-]{2,60})["']?[^<>]{0,400}>([^<]{4,40000})(?=<\/textarea)/gi

/** Hides values beside their secret names in tables and lists of pages, and in texts of Markdown. */
export function redactCells(text: string, secrets: Secrets): string {
  const cells = /<\/(?:th|td|dt)>/i.test(text) ? hide(text, CELLS, secrets) : text
  const sentences = SAYS_SECRET.test(cells) ? hide(cells, IN_SENTENCE, secrets) : cells
  const areas = /<\/textarea/i.test(sentences) ? hideAreas(sentences, secrets) : sentences
  const texts = areas.includes('\x60 ') ? hide(areas, IN_TEXT, secrets) : areas
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

function hideAreas(text: string, { hides, pseudonymize }: Secrets): string {
  return text.replaceAll(AREA, (whole, name: string, value: string) =>
    hides(name, value.trim()) ? whole.slice(0, -value.length) + pseudonymize(value) : whole,
  )
}
