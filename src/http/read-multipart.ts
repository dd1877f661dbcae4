import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyFileStream } from '@fastify/busboy'
import { mediaKindOf } from '../media-type.ts'
import { BodyTooLarge, InputInvalid, SimError } from '../errors.ts'
import { MAX_BODY_BYTES } from './read-body.ts'
import { MAX_UPLOAD_BYTES, readFile, type ReceivedFile } from './read-file.ts'

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
