import { hide } from './hide.ts'
import { redactText } from './redact-text.ts'
import { isSecretName } from './secret-names.ts'

interface Container {
  readonly isObject: boolean
  /** All that is in here belongs to a secret field. */
  readonly isSecret: boolean
  awaitsName: boolean
  /** The member that is being read is a secret. */
  memberIsSecret: boolean
}

const TOKEN = /["{}[\],]|-?\d[\d.eE+-]*/g
const WORTH_READING = /[?&#;@{[\\]|eyJ/

/**
 * Hides the secret fields of a JSON text at every depth, whatever they hold; undefined when it is not valid JSON.
 * The text is edited in place, not printed anew, so big numbers, repeated names and white space stay as sent.
 */
export function redactJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const pieces: string[] = []
  let copied = 0
  const replace = (start: number, end: number, by: string): void => {
    pieces.push(text.slice(copied, start), by)
    copied = end
  }
  const names = new Map<string, boolean>()
  const nest: Container[] = []
  const tokens = new RegExp(TOKEN)

  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match
    const container = nest.at(-1)
    const isSecret = container?.memberIsSecret ?? false
    if (token === '{' || token === '[') {
      nest.push({ isObject: token === '{', isSecret, awaitsName: token === '{', memberIsSecret: isSecret })
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
        container.memberIsSecret = container.isSecret || isSecretToken(string, names)
      } else {
        const redacted = isSecret ? hideToken(string) : redactToken(string)
        if (redacted !== string) replace(match.index, end, redacted)
      }
    } else if (isSecret) {
      replace(match.index, match.index + token.length, JSON.stringify(hide(token)))
    }
  }
  return pieces.join('') + text.slice(copied)
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
  if (!WORTH_READING.test(token)) return token
  const value = JSON.parse(token) as string
  const redacted = redactValue(value)
  return redacted === value ? token : JSON.stringify(redacted)
}
