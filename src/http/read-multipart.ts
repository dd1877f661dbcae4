import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyFileStream } from '@fastify/busboy'
import { mediaKindOf } from '../media-type.ts'
import { BodyTooLarge, InputInvalid, SimError } from '../errors.ts'
import { type BodyKeeper, keepBytes, MAX_BODY_BYTES, MAX_KEPT } from './read-body.ts'
import { createHash } from 'node:crypto'

/** One part of a multipart body: a text, or a file. */
export interface ReceivedPart {
  readonly name: string
  readonly contentType: string
  readonly content: string | ReceivedFile
}

const MAX_PARTS = 1000

/**
 * Reads a multipart/form-data body (RFC 7578): texts whole, files as they pass.
 * @throws InputInvalid when it is malformed; BodyTooLarge when its texts or its files are too large
 */
export async function readParts(body: Readable, contentType: string): Promise<readonly ReceivedPart[]> {
  const { Busboy } = await import('@fastify/busboy')
  const parts: Promise<ReceivedPart>[] = []
  const left = { bytes: MAX_UPLOAD_BYTES }
  let textBytes = 0
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (_name, type = '', filename) =>
        filename !== undefined || ['binary', 'multipart'].includes(mediaKindOf(type)),
      limits: { fieldSize: MAX_BODY_BYTES, parts: MAX_PARTS },
    })
    const fail = (error: Error): void => void parser.destroy(error)
    parser.on('partsLimit', () => fail(malformed(`It has more than ${MAX_PARTS} parts`)))
    parser.on('field', (name: string | undefined, content, _name, isCut, _encoding, type) => {
      textBytes += content.length
      if (isCut || textBytes > MAX_BODY_BYTES) return fail(new BodyTooLarge(MAX_BODY_BYTES))
      if (name !== undefined) parts.push(Promise.resolve({ name, contentType: type, content }))
    })
    parser.on(
      'file',
      (name: string | undefined, stream: BusboyFileStream, filename: string | undefined, _e, type) => {
        const about = { contentType: type, ...(filename !== undefined && { filename }) }
        const file = readFile(stream, about, left).then((content) => ({
          name: name ?? '',
          contentType: type,
          content,
        }))
        // A file that fails ends the whole, also while others are still being read.
        file.catch(fail)
        parts.push(file)
      },
    )
    await pipeline(body, parser)
    return (await Promise.all(parts)).filter(({ name }) => name !== '')
  } catch (error) {
    throw SimError.is(error) ? error : malformed((error as Error).message)
  }
}

function malformed(why: string): InputInvalid {
  const msg = `The multipart body cannot be read: ${why}`
  return new InputInvalid([{ type: 'multipart_invalid', loc: ['body'], msg, input: null }])
}

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
 * Describes a file by its bytes.
 * @param keeper gets them where they are few
 * @throws BodyTooLarge when it is larger than what is left
 */
export async function readFile(
  stream: AsyncIterable<Buffer>,
  about: Pick<ReceivedFile, 'contentType' | 'filename'>,
  left: Allowance = { bytes: MAX_UPLOAD_BYTES },
  keeper?: BodyKeeper,
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    left.bytes -= chunk.length
    if (left.bytes < 0) throw new BodyTooLarge(MAX_UPLOAD_BYTES)
    hash.update(chunk)
    if (size <= MAX_KEPT) kept.push(chunk)
  }
  if (size <= MAX_KEPT) keepBytes(keeper, Buffer.concat(kept))
  return { ...about, size, sha256: hash.digest('hex') }
}
