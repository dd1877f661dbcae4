import { hide } from './hide.ts'
import { redactValue } from './redact-json.ts'
import { decodeParameter, redactText } from './redact-text.ts'
import { isSecretParameter } from './secret-names.ts'

/** Hides the secrets of a URL, absolute or not: user info, and parameters of its path, query and fragment. */
export function redactUrl(url: string): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  // An OAuth answer carries its tokens in the fragment (RFC 6749, section 4.2.2).
  return [
    redactText(base),
    ...[query, fragment].map((part) => part.slice(0, 1) + redactForm(part.slice(1))),
  ].join('')
}

/** Hides the secret fields of an `application/x-www-form-urlencoded` text, which is also what a query is. */
export function redactForm(form: string): string {
  return form.split('&').map(redactPair).join('&')
}

/** The value of a decoded parameter, without its secrets. */
export function redactParameter(name: string, value: string): string {
  return isSecretParameter(name) ? hide(value) : redactValue(value)
}

function redactPair(pair: string): string {
  const equals = pair.indexOf('=')
  if (equals === -1) return redactText(pair)
  const value = decodeParameter(pair.slice(equals + 1))
  const redacted = redactParameter(decodeParameter(pair.slice(0, equals)), value)
  return redacted === value ? pair : `${pair.slice(0, equals + 1)}${encodeURIComponent(redacted)}`
}
