import { hide } from './pseudonymize.ts'
import { redactAssignments } from './redact-assignments.ts'
import { isSecretParameter } from './secret-names.ts'
import { redactShapes } from './token-shapes.ts'

// All up to the last `@` of the authority, as the WHATWG URL parser reads it.
const USER_INFO = /(?<=\/\/)[^\s/?#"<>\\]+(?=@)/g

// A parameter inside a URL, or inside a URL that is itself a percent-encoded parameter.
const PARAMETER = /(?:[?&#;]|%3F|%26|%23|%3B)((?:(?!%3[DF]|%2[36])[^?&#;=\s"<>\\]){1,80})(=|%3D)/gi
const PLAIN_END = /[&#\s"<>\\]|$/g
const ENCODED_END = /%26|%23|[&#\s"<>\\]|$/g

/**
 * Hides what is a secret in any text: user info and parameters of every URL, relative ones too, what is given to a
 * secret name between quotes, JSON Web Tokens and other tokens of a known shape.
 */
export function redactText(text: string): string {
  return redactShapes(redactAssignments(hideUserInfo(hideParameters(text))))
}

/** Percent-decodes a name or value of a query or form; what cannot be decoded stays as it is. */
export function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function hideEncoded(value: string): string {
  return encodeURIComponent(hide(decodeParameter(value)))
}

function hideUserInfo(text: string): string {
  if (!text.includes('@')) return text
  return text.replaceAll(USER_INFO, (userInfo) => userInfo.split(':').map(hideEncoded).join(':'))
}

function hideParameters(text: string): string {
  // Most texts have none, and to look for these is faster by far.
  if (!text.includes('=') && !text.includes('%3D') && !text.includes('%3d')) return text
  const pieces: string[] = []
  let copied = 0
  for (const match of text.matchAll(PARAMETER)) {
    const [whole, name = '', equals] = match
    const start = match.index + whole.length
    if (start < copied || !isSecretParameter(decodeParameter(name))) continue
    const ending = equals === '=' ? PLAIN_END : ENCODED_END
    ending.lastIndex = start
    const end = ending.exec(text)?.index ?? text.length
    pieces.push(text.slice(copied, start), hideEncoded(text.slice(start, end)))
    copied = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}
