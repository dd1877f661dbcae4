import { isUtf8 } from 'node:buffer'
import type { LoginOption } from '../../engine/login-option.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { jsonBodyOf } from './body-value.ts'

/** A request, as far as it says which one it is. */
export interface NamedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly contentType: string
}

/**
 * Names the same request with the password that it has, by its pseudonym, where somebody logs in with that: answers to
 * logins depend on it, though secrets else distinguish no requests.
 */
export function keyOfLogin(
  key: string,
  login: LoginOption | undefined,
  { contentType, url }: NamedRequest,
  bytes: Buffer,
  redactor: Redactor,
): string {
  if (login?.does !== 'begin' || login.secret === undefined || !isUtf8(bytes)) return key
  const redacted = redactor.at(url).body(bytes.toString(), contentType)
  if ('omitted' in redacted) return key
  const body = jsonBodyOf(Buffer.from(redacted.text), contentType)
  const secret = memberAt(body, [...readPointer(login.body ?? ''), login.secret])
  return `${key} with ${String(secret)}`
}
