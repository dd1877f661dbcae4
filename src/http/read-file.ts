import { createHash } from 'node:crypto'
import { BodyTooLarge } from '../errors.ts'

/** A file that was sent: what is known of it once its bytes have passed. */
export interface ReceivedFile {
  /** Absent where the sender names none. */
  readonly filename?: string
  readonly contentType: string
  readonly size: number
  /** Of the bytes, in hex. */
  readonly sha256: string
}

/** Files that a request carries may be this large together. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024

/** What is left of the bytes that a request may carry. */
export interface Allowance {
  bytes: number
}

/**
 * Describes a file by its bytes, none of which is kept.
 * @throws BodyTooLarge when it is larger than what is left
 */
export async function readFile(
  stream: AsyncIterable<Buffer>,
  about: Pick<ReceivedFile, 'contentType' | 'filename'>,
  left: Allowance = { bytes: MAX_UPLOAD_BYTES },
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    left.bytes -= chunk.length
    if (left.bytes < 0) throw new BodyTooLarge(MAX_UPLOAD_BYTES)
    hash.update(chunk)
  }
  return { ...about, size, sha256: hash.digest('hex') }
}
