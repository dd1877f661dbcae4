import { redactJson } from './redact-json.ts'
import { redactText } from './redact-text.ts'
import type { Secrets } from './secrets.ts'

/** A string, which may hold what looks like a comment, or a comment. */
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g
const STRING_OR_LAST_COMMA = /"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g

/**
 * Hides the secrets of JSON with comments and last commas, as editors' settings have them; `undefined` for what is no
 * JSON without these. Where there are secrets, the comments are left out.
 */
export function redactCommentedJson(text: string, secrets: Secrets): string | undefined {
  const bare = eachOf(text, STRING_OR_COMMENT, (comment) => comment.replaceAll(/[^\r\n]/g, ' '))
  const strict = eachOf(bare, STRING_OR_LAST_COMMA, () => ' ')
  if (strict === text) return undefined
  const redacted = redactJson(strict, secrets)
  if (redacted !== strict) return redacted
  return eachOf(text, STRING_OR_COMMENT, (comment) => redactText(comment, secrets))
}

function eachOf(text: string, pattern: RegExp, by: (found: string) => string): string {
  return text.replaceAll(pattern, (found) => (found.startsWith('"') ? found : by(found)))
}
