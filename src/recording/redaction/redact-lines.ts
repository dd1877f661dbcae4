import { isExpression } from './expressions.ts'
import { isCoordinate } from './names.ts'
import { looksLikeLiteral } from './random-look.ts'
import { redactNamed } from './redact-text.ts'
import type { Secrets } from './secrets.ts'

// `token: …` and `export TOKEN=…`, which YAML, settings and other protocols in a body have a line for.
const LINE = /^([ \t]*(?:-[ \t]+|export[ \t]+)?([\w.-]{2,60})[ \t]*(?::=|=>|:|=(?!>))[ \t]*)([^\s"'{[#].*)$/gm

// The head of a block scalar (YAML 1.2, section 8.1), whose value is on the lines below it.
const BLOCK =
  /^([ \t]{0,200}(?:-[ \t]{1,9})?)["']?([\w.-]{2,60})["']?[ \t]{0,9}:[ \t]{1,9}[|>][-+\d]{0,2}[ \t]{0,9}(?:#.*)?\r?\n/gm
// `- name: TOKEN` with its `value: …` on the next line, as containers have their environment.
const PAIR =
  /^([ \t]{0,200}(?:-[ \t]{1,9})?(?:name|key):[ \t]{1,9}["']?([\w.-]{2,60})["']?[ \t]{0,9}\r?\n[ \t]{1,200}value:[ \t]{1,9})(["']?)([^\s"'{[|>][^\r\n]*?)\3[ \t]*$/gm
// A value that begins on the next line, as YAML and files of properties have it, and is one word.
const NEXT_LINE =
  /^([ \t]{0,200}(?:-[ \t]{1,9})?["']?([\w.-]{2,60})["']?[ \t]{0,9}(?::|[=:][ \t]{0,9}\\)[ \t]{0,9}\r?\n[ \t]{1,200})(["']?)([^\s"'[{|>#-][^\s"']{5,4000})(?=\3[ \t]*\r?$)/gm
// A list of YAML, whose name stands before it.
const LIST =
  /^[ \t]{0,200}([\w.-]{2,60})[ \t]{0,9}:[ \t]{0,9}\r?\n((?:[ \t]{0,200}-[ \t]{1,9}[^\s{[].*(?:\r?\n|$))+)/gm
const ITEM = /^([ \t]{0,200}-[ \t]{1,9})(["']?)(\S(?:[^\r\n]*[^\s])??)\2[ \t]*$/gm
// A Secret of Kubernetes, whose data have names of any kind.
const IS_SECRET = /^[ \t]{0,20}kind:[ \t]{1,9}["']?Secret["']?[ \t]*$/m
const SECRET_DATA = /^([ \t]{0,20})(?:data|stringData):[ \t]*\r?\n((?:\1[ \t]+\S.*(?:\r?\n|$))+)/gm
const DATUM = /^([ \t]+["']?[\w.-]{1,253}["']?:[ \t]+["']?)([^\s"'|>][^\r\n"']*)/gm
const IS_BLOCK = /^[|>][-+\d]{0,2}(?:[ \t]+#.*)?$/

/** A member of an enumeration, and a name of a program among others. */
const IS_MEMBER = /^(?:\d{1,6},|\d{1,2}|[a-z]+(?:[A-Z][a-z]+){1,6}\d?,)$/

/** What is found by a variable of the same file, and a comment: `$dir/private/key.pem# The key`. */
const OF_VARIABLE = /^\$\w{1,40}(?:\/[\w./-]{1,200}\.[a-z]{2,8}|::[a-z_]{1,40})(?:\s{0,9}#.*)?$/

// What is set has `=` in it (RFC 6265, section 4.1.1).
function isAboutCookies(name: string, value: string): boolean {
  return /^(?:set-)?cookies?$/i.test(name) && /\s/.test(value) && !value.includes('=')
}

/** Hides the values of secret names that have lines of their own, without quotes. */
export function redactLines(text: string, secrets: Secrets): string {
  if (!text.includes(':') && !text.includes('=')) return text
  const data = IS_SECRET.test(text) ? redactData(text, secrets) : text
  return redactNext(
    redactPairs(redactLists(redactBlocks(data, secrets), secrets), secrets),
    secrets,
  ).replaceAll(LINE, (whole, head: string, name: string, rest: string) => {
    const value = rest.trimEnd()
    if (IS_BLOCK.test(value) || isExpression(value) || IS_MEMBER.test(value) || OF_VARIABLE.test(value))
      return whole
    if (isCoordinate(name, value) || isAboutCookies(name, value)) return whole
    if (!secrets.hides(name, value)) return whole
    return `${head}${redactNamed(name, value, secrets)}${rest.slice(value.length)}`
  })
}

function redactData(text: string, { pseudonymize }: Secrets): string {
  return text.replaceAll(SECRET_DATA, (whole, _indent: string, data: string) => {
    const hidden = data.replaceAll(DATUM, (_datum, head: string, value: string) => head + pseudonymize(value))
    return whole.slice(0, -data.length) + hidden
  })
}

function redactPairs(text: string, { hides, pseudonymize }: Secrets): string {
  if (!text.includes('value: ')) return text
  return text.replaceAll(PAIR, (whole, head: string, name: string, quote: string, value: string) =>
    hides(name, value) ? `${head}${quote}${pseudonymize(value)}${quote}` : whole,
  )
}

function redactNext(text: string, { hides, pseudonymize }: Secrets): string {
  if (!/[:\\][ \t]{0,9}\r?\n[ \t]/.test(text)) return text
  return text.replaceAll(NEXT_LINE, (whole, head: string, name: string, quote: string, value: string) =>
    !value.endsWith(':') && looksLikeLiteral(value) && hides(name, value)
      ? `${head}${quote}${pseudonymize(value)}`
      : whole,
  )
}

function redactLists(text: string, { hides, kindOf, pseudonymize }: Secrets): string {
  return text.replaceAll(LIST, (whole, name: string, items: string) => {
    if (kindOf(name) === 'harmless') return whole
    const hidden = items.replaceAll(ITEM, (item, head: string, quote: string, value: string) =>
      hides(name, value) ? `${head}${quote}${pseudonymize(value)}${quote}` : item,
    )
    return whole.slice(0, -items.length) + hidden
  })
}

function redactBlocks(text: string, { hides, kindOf, pseudonymize }: Secrets): string {
  const pieces: string[] = []
  let copied = 0
  for (const { 0: head, 1: before = '', 2: name = '', index } of text.matchAll(BLOCK)) {
    if (index < copied || kindOf(name) === 'harmless') continue
    const start = index + head.length
    const block = text.slice(start, endOfBlock(text, start, before.length))
    const value = block.trim()
    if (!hides(name, value)) continue
    const at = start + block.indexOf(value)
    pieces.push(text.slice(copied, at), pseudonymize(value))
    copied = at + value.length
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

// A block goes on as long as its lines are empty or further in than its name.
function endOfBlock(text: string, start: number, indent: number): number {
  let end = start
  while (end < text.length) {
    const next = text.indexOf('\n', end)
    const line = text.slice(end, next === -1 ? text.length : next)
    if (line.trim() !== '' && line.search(/\S/) <= indent) return end
    end += line.length + 1
  }
  return text.length
}
