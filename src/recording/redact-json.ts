import { hide } from './hide.ts'
import { redactText } from './redact-text.ts'
import { redaction } from './redaction-rules.ts'
import { isSecretName } from './secret-names.ts'
import { redactShapes, SHAPE_HINT } from './token-shapes.ts'

interface Container {
  readonly isObject: boolean
  /** All that is in here belongs to a secret field. */
  readonly isSecret: boolean
  awaitsName: boolean
  /** The name of the member that is being read, quotes included. */
  member: string
  /** The member that is being read is a secret. */
  memberIsSecret: boolean
  /** What the object is a value of, if it says so, quotes included. */
  label?: string
  /** Where that value is. */
  value?: Range
}

interface Range {
  readonly start: number
  readonly end: number
}

const TOKEN = /["{}[\],]|-?\d[\d.eE+-]*/g
const WORTH_READING = /[?&#;@{[\\']/
const PAIR_NAME = /^"(?:name|key|field|header|param)"$/i
const PAIR_VALUE = /^"value"$/i

/**
 * Hides the secret fields of a JSON text at every depth, whatever they hold; undefined when it is not valid JSON.
 * The text is edited in place, not printed anew, so big numbers, repeated names and white space stay as sent.
 */
export function redactJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const edits = new Map<number, Range & { readonly by: string }>()
  const replace = (start: number, end: number, by: string): void => void edits.set(start, { start, end, by })
  const hideValue = ({ start, end }: Range): void => replace(start, end, hideToken(text.slice(start, end)))
  const names = new Map<string, boolean>()
  const nest: Container[] = []
  const tokens = new RegExp(TOKEN)

  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match
    const container = nest.at(-1)
    const isSecret = container?.memberIsSecret ?? false
    if (token === '{' || token === '[') {
      nest.push(containerOf(token, isSecret))
    } else if (token === '}' || token === ']') {
      nest.pop()
    } else if (token === ',' && container !== undefined) {
      container.awaitsName = container.isObject
      container.memberIsSecret = container.isSecret
    } else if (token === '"') {
      const end = endOfString(text, match.index)
      const string = text.slice(match.index, end)
      tokens.lastIndex = end
      if (container?.awaitsName === true) {
        container.awaitsName = false
        container.member = string
        container.memberIsSecret = container.isSecret || isSecretToken(string, names)
      } else {
        const redacted = isSecret ? hideToken(string) : redactToken(string)
        if (redacted !== string) replace(match.index, end, redacted)
        if (container?.isObject === true)
          pairUp(container, string, { start: match.index, end }, names, hideValue)
      }
    } else {
      const redacted = isSecret ? hide(token) : hidden(token)
      if (redacted !== token) replace(match.index, match.index + token.length, JSON.stringify(redacted))
    }
  }
  return edited(text, [...edits.values()])
}

function containerOf(token: '{' | '[', isSecret: boolean): Container {
  const isObject = token === '{'
  return {
    isObject,
    isSecret,
    awaitsName: isObject,
    member: '',
    memberIsSecret: isSecret,
  }
}

// `{ "name": "password", "value": "…" }`, in either order.
function pairUp(
  container: Container,
  string: string,
  range: Range,
  names: Map<string, boolean>,
  hideValue: (range: Range) => void,
): void {
  if (PAIR_NAME.test(container.member)) container.label = string
  else if (PAIR_VALUE.test(container.member)) container.value = range
  else return
  const { label, value } = container
  if (label !== undefined && value !== undefined && isSecretToken(label, names)) hideValue(value)
}

function edited(text: string, edits: (Range & { readonly by: string })[]): string {
  const pieces: string[] = []
  let copied = 0
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(copied, start), by)
    copied = end
  }
  return pieces.join('') + text.slice(copied)
}

// A number may be one that the patterns of the rules fit.
function hidden(token: string): string {
  return redaction().patterns.length === 0 ? token : redactShapes(token)
}

/** Redacts JSON with one value a line; undefined when a line is not valid JSON. Empty lines stay. */
export function redactJsonLines(text: string): string | undefined {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const redacted = line.trim() === '' ? line : redactJson(line)
    if (redacted === undefined) return undefined
    lines.push(redacted)
  }
  return lines.join('\n')
}

/** Redacts a text that may itself be JSON, as in a form field or a JSON string. */
export function redactValue(value: string): string {
  return (looksLikeJson(value) ? redactJson(value) : undefined) ?? redactText(value)
}

/** Whether a text starts like a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

// A byte order mark before JSON is forbidden and common (RFC 8259, section 8.1); `trimStart` takes it off.
function isJson(text: string): boolean {
  try {
    JSON.parse(text.trimStart())
    return true
  } catch {
    return false
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function isSecretToken(token: string, names: Map<string, boolean>): boolean {
  const known = names.get(token)
  if (known !== undefined) return known
  const isSecret = isSecretName(JSON.parse(token) as string)
  names.set(token, isSecret)
  return isSecret
}

function hideToken(token: string): string {
  return JSON.stringify(hide(JSON.parse(token) as string))
}

function redactToken(token: string): string {
  if (!WORTH_READING.test(token) && !SHAPE_HINT.test(token) && redaction().patterns.length === 0) return token
  const value = JSON.parse(token) as string
  const redacted = redactValue(value)
  return redacted === value ? token : JSON.stringify(redacted)
}
