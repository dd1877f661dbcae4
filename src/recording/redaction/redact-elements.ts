import { looksRandom } from './random-look.ts'
import type { Secrets } from './secrets.ts'

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
const SAYS_SECRET = /\b(?:(?:api|access|secret|private|auth)[ _-]?key|token|secret|passphrase|password)s?\b/i
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
    looksRandom(value) && SAYS_SECRET.test(around(text, at, at + whole.length))
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
