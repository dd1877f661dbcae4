import { hide } from './pseudonymize.ts'
import { kindOf, type BodyKind } from '../files/media.ts'
import { redactLines, redactTags } from './redact-assignments.ts'
import { looksLikeJson, redactJson, redactJsonLines } from './redact-json.ts'
import { redactText } from './redact-text.ts'
import { redactForm } from './redact-url.ts'
import { isSecretName, isSecretParameter } from './secret-names.ts'

/** A body's text without secrets, or why it cannot be kept. */
export type RedactedBody = { readonly text: string } | { readonly omitted: string }

/** Ends the sentence that says why a body was left out. */
export const UNCHECKED = 'so it could not be checked for secrets'

/** Looks into a body as its `Content-Type` asks. A body of a known shape that does not have this shape is left out. */
export function redactBody(text: string, contentType: string): RedactedBody {
  if (/charset=["']?utf-?(16|32)/i.test(contentType))
    return { omitted: `in a character set of wide characters, ${UNCHECKED}` }
  return REDACTORS[kindOf(contentType)](text, contentType)
}

const REDACTORS: Readonly<Record<BodyKind, (text: string, contentType: string) => RedactedBody>> = {
  json: redactJsonBody,
  'json-lines': redactJsonBody,
  events: (text) => ({ text: redactEvents(text) }),
  // curl sends JSON under this type when it is not told otherwise.
  form: (text) => (text.trimStart().startsWith('{') ? redactJsonBody(text) : { text: redactForm(text) }),
  multipart: redactMultipart,
  xml: (text) => ({ text: redactXml(text) }),
  text: (text, contentType) => ({ text: redactUntyped(text, contentType) }),
  binary: (text, contentType) => ({ text: redactUntyped(text, contentType) }),
}

// Some APIs stream a value a line under the plain JSON type.
function redactJsonBody(text: string): RedactedBody {
  const redacted = redactJson(text) ?? redactJsonLines(text)
  return redacted === undefined ? { omitted: `not valid JSON, ${UNCHECKED}` } : { text: redacted }
}

function redactUntyped(text: string, contentType: string): string {
  if (looksLikeJson(text)) return redactJson(text) ?? redactJsonLines(text) ?? redactText(text)
  if (text.includes('=') && /^[^\s=&]+=[^\s]*$/.test(text)) return redactForm(text)
  if (/html/i.test(contentType)) return redactText(redactTags(text))
  return redactAfterPrefix(text) ?? redactText(isProgram(contentType) ? text : redactLines(text))
}

// Socket.IO and others put a few characters before JSON, such as `42["event",{…}]`.
function redactAfterPrefix(text: string): string | undefined {
  const [prefix = ''] = /^[\w:/,.-]{1,60}(?=[[{])/.exec(text) ?? []
  const redacted = prefix === '' ? undefined : redactJson(text.slice(prefix.length))
  return redacted === undefined ? undefined : prefix + redacted
}

function isProgram(contentType: string): boolean {
  return /script|css|graphql|sql/i.test(contentType)
}

// The `data` lines of an event are one text: HTML Living Standard, section 9.2.6.
function redactEvents(text: string): string {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const redacted: string[] = []
  for (let at = 0; at < lines.length;) {
    const data: string[] = []
    for (; lines[at]?.startsWith('data:') === true; at++) data.push(lines[at]?.slice('data:'.length) ?? '')
    if (data.length > 0) redacted.push(redactData(data))
    else redacted.push(redactText(lines[at++] ?? ''))
  }
  return redacted.join('')
}

function redactData(lines: readonly string[]): string {
  const data = lines.join('')
  // Half a JSON object cannot be looked into. Texts such as `[DONE]` can.
  const broken = data.trimStart().startsWith('{') ? ` ${hide(data)}\n` : redactText(data)
  const redacted = redactJson(data) ?? redactJsonLines(data) ?? broken
  return redacted.replaceAll(/^(?=.)|(?<=\r\n|\n|\r(?!\n))(?=.)/gs, 'data:')
}

function redactXml(text: string): string {
  const elements = /<([\w.:-]{1,80})(\s[^<>]*)?>(<!\[CDATA\[[^\]]*\]\]>|[^<]+)(?=<\/)/g
  return redactText(
    text.replaceAll(elements, (whole, name: string, attributes: string | undefined, value: string) =>
      isSecretName(name.slice(name.indexOf(':') + 1)) ? `<${name}${attributes ?? ''}>${hide(value)}` : whole,
    ),
  )
}

// RFC 2046, section 5.1 and RFC 7578, section 4.
function redactMultipart(text: string, contentType: string): RedactedBody {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const parts = text.split(`--${quoted ?? plain ?? ''}`)
  if ((quoted ?? plain) === undefined || parts.length < 2) {
    return { omitted: `its parts could not be told apart, ${UNCHECKED}` }
  }
  return { text: parts.map(redactPart).join(`--${quoted ?? plain}`) }
}

function redactPart(part: string): string {
  const blank = /\r?\n\r?\n/.exec(part)
  if (blank === null) return part
  const head = part.slice(0, blank.index + blank[0].length)
  const rest = part.slice(head.length)
  const end = /\r?\n$/.exec(rest.slice(-2))?.[0] ?? ''
  const value = rest.slice(0, rest.length - end.length)
  const [, quoted, plain] = /^content-disposition:.*?;\s*name=(?:"([^"]*)"|([^\s;]+))/im.exec(head) ?? []
  if (isSecretParameter(quoted ?? plain ?? '')) return `${head}${hide(value)}${end}`
  const [, type = ''] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
  const redacted = redactBody(value, type)
  return `${head}${'omitted' in redacted ? hide(value) : redacted.text}${end}`
}
