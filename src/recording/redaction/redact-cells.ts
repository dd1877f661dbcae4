import { looksCoined, looksLikeLiteral, looksRandom } from './random-look.ts'
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
/** A label in an element of its own, and the value in the next one, or in a field: pages of keys, and code in colours. */
const LABEL =
  /((?:passw(?:or)?d|passcode|passphrase|secret|token|key)["']?:?)\s{0,9}<\/(?:label|span|b|strong|p|div|h\d)>(?:[\s:="']|&quot;|<\/?(?:label|span|code|b|strong|em|div|p|kbd|pre|samp|i)(?:\s[^<>]{0,200})?>){0,12}?(?:<input\s(?:[^<>]{0,200}?\s)?value="|(?<=[>"';]))([^<>\s"']{6,4000})(?=["']|&quot;|\s{0,40}<)/gi
const LABEL_BEFORE = /[\w -]{0,40}$/
const MAX_BEFORE = 40
/** The same in Markdown. */
const MARKED = /\b([A-Za-z][\w -]{2,40}?)(?::\*\*|\*\*:|:|\sis)\s{0,4}\x60([^\x60\s]{6,4000})(?=\x60)/g
const SAYS_MARKED = /(?:assw(?:or)?d|asscode|assphrase|ecret|oken|ey)(?::\*\*|\*\*:|:|\sis)\s{0,4}\x60/
/** A table of Markdown with names above its columns. */
const HEADED =
  /^\|?([^\n|]{1,80}\|[^\n]{1,400})\n[ \t]{0,9}\|?[ \t:|-]{3,400}\n((?:[ \t]{0,9}\|?[^\n|]{0,400}\|[^\n]*(?:\n|$))+)/gm
const SAYS_SECRET =
  /(?:passw(?:or)?d|passcode|passphrase|secret|token|key|code)(?:\s(?:is|was):?|:)\s{0,9}<(?:code|pre|span|kbd|samp|b|strong|em)\b/i
const AREA =
  /<textarea\s(?:[^<>]{0,400}?\s)?name\s{0,9}=\s{0,9}["']?([\w.[\]-]{2,60})["']?[^<>]{0,400}>([^<]{4,40000})(?=<\/textarea)/gi

/** Hides values beside their secret names in tables and lists of pages, and in texts of Markdown. */
export function redactCells(text: string, secrets: Secrets): string {
  const cells = /<\/(?:th|td|dt)>/i.test(text) ? hide(text, CELLS, secrets) : text
  const sentences = SAYS_SECRET.test(cells) ? hide(cells, IN_SENTENCE, secrets) : cells
  const areas = /<\/textarea/i.test(sentences) ? hideAreas(sentences, secrets) : sentences
  const labels = areas.includes('</') ? hideLabelled(areas, secrets) : areas
  const marked = SAYS_MARKED.test(labels) ? hide(labels, MARKED, secrets) : labels
  const headed = marked.includes('--') && marked.includes('|') ? hideColumns(marked, secrets) : marked
  const texts = headed.includes('\x60 ') ? hide(headed, IN_TEXT, secrets) : headed
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

function hideLabelled(text: string, { kindOf, hides, pseudonymize }: Secrets): string {
  return text.replaceAll(LABEL, (whole, end: string, value: string, at: number) => {
    const [before = ''] = LABEL_BEFORE.exec(text.slice(Math.max(0, at - MAX_BEFORE), at)) ?? []
    const name = (before + end.replace(/(?<!["':])["':]+$/, '')).trim()
    return kindOf(name) !== 'harmless' && looksLikeLiteral(value) && hides(name, value)
      ? whole.slice(0, -value.length) + pseudonymize(value)
      : whole
  })
}

function hideColumns(text: string, { kindOf, hides, pseudonymize }: Secrets): string {
  return text.replaceAll(HEADED, (whole, head: string, rows: string) => {
    const names = head.split('|').map((name) => name.replaceAll(/[*\x60]/g, '').trim())
    if (names.every((name) => kindOf(name) !== 'secret')) return whole
    const hidden = rows.replaceAll(/[^\n]+/g, (row) => {
      const offset = row.trimStart().startsWith('|') ? 1 : 0
      return row
        .split('|')
        .map((cell, at) => {
          const name = names[at - offset] ?? ''
          const [, value = ''] = /^\s*\x60?([^\s\x60]{6,4000})\x60?\s*$/.exec(cell) ?? []
          return kindOf(name) === 'secret' && looksLikeLiteral(value) && hides(name, value)
            ? cell.replace(value, () => pseudonymize(value))
            : cell
        })
        .join('|')
    })
    return whole.slice(0, -rows.length) + hidden
  })
}

const CHOICES = /<(select|datalist)(\s[^<>]{1,1000})>/gi
const CHOICE =
  /(<option(?:\s[^<>]{0,400}?\svalue=|\svalue=|(?:\s[^<>]{0,400})?>)\s{0,9}["']?)([^<>\s"']{8,4000})/gi
/** The text of an element in which is nothing else. */
const LEAF_TEXT = />\s{0,40}([\w.~+/=-]{16,4000})\s{0,40}<\/[a-z]/g
const NAMES = /\s(?:id|class|name)\s{0,9}=\s{0,9}(?:"([^"]{1,200})"|'([^']{1,200})'|([\w-]{1,60}))/gi
const MAX_TAG = 600
/** What a button puts into the clipboard. */
const COPIED =
  /(\bdata-clipboard-text\s{0,9}=\s{0,9}["']|<clipboard-copy\s[^<>]{0,400}?\bvalue\s{0,9}=\s{0,9}["']|\bclipboard\.writeText\(\s{0,9}["'])([\w.~+/=-]{16,4000})(?=["'])/gi
const SAYS_COPIED = /\b(?:(?:api|access|secret|private|auth)[ _-]?key|token|secret|passphrase|password)s?\b/i
const AROUND_COPIED = 160

/**
 * Hides what looks random in a page where what is around names it: choices of a field, the texts of elements with the
 * `id` or `class` of a secret, and what a button copies.
 */
export function redactElements(text: string, secrets: Secrets): string {
  const chosen = /<option\b/i.test(text) ? redactChoices(text, secrets) : text
  const leaves = chosen.includes('</') ? redactLeaves(chosen, secrets) : chosen
  return leaves.includes('clipboard') ? redactCopied(leaves, secrets) : leaves
}

function redactChoices(text: string, secrets: Secrets): string {
  const pieces: string[] = []
  let copied = 0
  for (const { 0: open, 1: tag = '', 2: attributes = '', index } of text.matchAll(CHOICES)) {
    if (index < copied || !isNamed(attributes, secrets)) continue
    const end = text.indexOf(`</${tag}`, index + open.length)
    if (end === -1) break
    const choices = text
      .slice(index, end)
      .replaceAll(CHOICE, (whole, head: string, value: string) =>
        looksRandom(value) ? head + secrets.pseudonymize(value) : whole,
      )
    pieces.push(text.slice(copied, index), choices)
    copied = end
  }
  return pieces.join('') + text.slice(copied)
}

function redactLeaves(text: string, secrets: Secrets): string {
  return text.replaceAll(LEAF_TEXT, (whole, value: string, at: number) => {
    if (!looksRandom(value)) return whole
    const before = text.slice(Math.max(0, at - MAX_TAG), at)
    return isNamed(before.slice(before.lastIndexOf('<')), secrets)
      ? whole.replace(value, () => secrets.pseudonymize(value))
      : whole
  })
}

function redactCopied(text: string, { pseudonymize }: Secrets): string {
  return text.replaceAll(COPIED, (whole, head: string, value: string, at: number) =>
    looksRandom(value) && SAYS_COPIED.test(around(text, at, at + whole.length))
      ? head + pseudonymize(value)
      : whole,
  )
}

function around(text: string, start: number, end: number): string {
  return text.slice(Math.max(0, start - AROUND_COPIED), end + AROUND_COPIED)
}

function isNamed(tag: string, { kindOf }: Secrets): boolean {
  return [...tag.matchAll(NAMES)].some(([, double, single, bare = '']) =>
    (double ?? single ?? bare).split(/\s+/).some((name) => kindOf(name) !== 'harmless'),
  )
}
