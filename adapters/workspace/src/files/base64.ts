import { workspaceError } from '../errors.ts'

/** The bytes of base64 text, also without padding or in its URL form. */
export function bytesOfBase64(text: string, field: string): Buffer {
  if (/^[\w+/-]*={0,2}\s*$/.test(text)) return Buffer.from(text, 'base64')
  throw workspaceError(
    'MALFORMED_REQUEST',
    `Could not parse request object: field ${field} is not valid base64.`,
  )
}
