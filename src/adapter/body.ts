import { findMistake } from '../data-files/json.ts'
import { parseJsonText } from '../engine/json-text.ts'
import { InputInvalid } from '../errors.ts'
import { fail } from './failure.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A body read as JSON; `undefined` for an empty one. Raises the failure `malformed-body` for any other text; its reason
 * quotes nothing of the body, which may hold secrets.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  try {
    return text.trim() === '' ? undefined : parseJsonText(text, ['body'])
  } catch (error) {
    if (!(error instanceof InputInvalid)) throw error
    const { line, column } = findMistake(text) ?? {}
    const reason =
      line === undefined
        ? `The body cannot be taken: ${error.issues[0]?.msg ?? ''}`
        : `The body is not JSON: line ${line}, column ${column}`
    return fail({ kind: 'malformed-body', reason })
  }
}

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return fail({ kind: 'malformed-body', reason: 'The body is not UTF-8' })
  }
}
