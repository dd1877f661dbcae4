import { createHmac } from 'node:crypto'

/** What is written in place of a secret: 64 bits of its keyed hash, so that it cannot be read back. */
const PSEUDONYM = /^redacted-[0-9a-f]{16}$/

/** Finds pseudonyms in a text, to split it. */
export const PSEUDONYM_TEXT = /(redacted-[0-9a-f]{16}|\[redacted\]|%5Bredacted%5D)/g

let key: Buffer | undefined
let hidden: Set<string> | undefined

/** Makes pseudonyms with this key from now on. Where the key is the same, equal secrets have equal pseudonyms. */
export function usePseudonymKey(bytes: Buffer | undefined): void {
  key = bytes
}

/**
 * The pseudonym of a secret: HMAC-SHA-256 (RFC 2104), cut short. An empty value is no secret and stays, so that its
 * absence can be seen; and so does a pseudonym, so that a recording can be redacted again.
 * Without a key, all secrets look the same.
 */
export function hide(value: string): string {
  if (value === '' || value === '[redacted]' || PSEUDONYM.test(value)) return value
  hidden?.add(value)
  if (key === undefined) return '[redacted]'
  return `redacted-${createHmac('sha256', key).update(value).digest('hex').slice(0, 16)}`
}

/** Does something, and gathers what is hidden meanwhile. It must not be asynchronous. */
export function gatherHidden<Result>(act: () => Result): { result: Result; hidden: ReadonlySet<string> } {
  const gathered = new Set<string>()
  const before = hidden
  hidden = gathered
  try {
    return { result: act(), hidden: gathered }
  } finally {
    hidden = before
  }
}

/** A text in which all hidden secrets are one, for comparisons that they must not decide. */
export function withoutPseudonyms(text: string): string {
  return text.replaceAll(/redacted-[0-9a-f]{16}|\[redacted\]|%5Bredacted%5D/gi, 'redacted')
}
