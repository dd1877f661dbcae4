import { redactValue } from './redact-json.ts'
import { decodeParameter, redactText } from './redact-text.ts'
import type { Secrets } from './secrets.ts'

/** Hides the secrets of a URL, absolute or not: user info, and parameters of its path, query and fragment. */
export function redactUrl(url: string, secrets: Secrets): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  // An OAuth answer carries its tokens in the fragment (RFC 6749, section 4.2.2).
  return [
    redactText(base, secrets),
    ...[query, fragment].map((part) => part.slice(0, 1) + redactForm(part.slice(1), secrets)),
  ].join('')
}

/** Hides the secret fields of an `application/x-www-form-urlencoded` text, which is also what a query is. */
export function redactForm(form: string, secrets: Secrets): string {
  if (form === '') return form
  const pairs = form.split('&')
  const names = pairs.map((pair) => decodeParameter(pair.slice(0, Math.max(0, pair.indexOf('=')))))
  const hasCode = hasAuthorizationCode(names)
  return pairs.map((pair) => redactPair(pair, hasCode, secrets)).join('&')
}

/** Whether the parameter `code` beside these is an authorization code (RFC 6749, sections 4.1.2 and 4.1.3). */
export function hasAuthorizationCode(names: readonly string[]): boolean {
  return (
    names.includes('code') &&
    names.some((name) => /^(state|session_state|grant_type|redirect_uri)$/.test(name))
  )
}

/** The value of a decoded parameter, without its secrets. */
export function redactParameter(name: string, value: string, secrets: Secrets, hasCode = false): string {
  if (secrets.isSecretParameter(name) || (hasCode && name === 'code')) return secrets.pseudonymize(value)
  return redactValue(value, secrets)
}

function redactPair(pair: string, hasCode: boolean, secrets: Secrets): string {
  const equals = pair.indexOf('=')
  if (equals === -1) return redactText(pair, secrets)
  const value = decodeParameter(pair.slice(equals + 1))
  const redacted = redactParameter(decodeParameter(pair.slice(0, equals)), value, secrets, hasCode)
  return redacted === value ? pair : `${pair.slice(0, equals + 1)}${encodeURIComponent(redacted)}`
}
