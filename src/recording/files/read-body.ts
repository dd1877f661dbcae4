import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { RecordingUnusable } from '../../errors.ts'
import { inlineBytes, type Content, type PostData } from '../exchange.ts'
import { isBodyPath, readBodyFile, sizeOfBody } from './body-files.ts'
import { findInParts } from './parts.ts'

/**
 * The bytes of a recorded body, wherever they are; undefined when the body was left out or is not there.
 * @throws RecordingUnusable when its file is not there, or is not one of this recording's
 */
export async function readBody(directory: string, body: Content | PostData): Promise<Buffer | undefined> {
  const path = filePath(directory, body)
  if (path === undefined) return inlineBytes(body)
  return readBodyFile(path).catch(async (error: unknown) => {
    const other = await findInParts(directory, body._file)
    return other === undefined ? failedBody(path)(error) : readBodyFile(other)
  })
}

/** A recorded body that is too long to be read at once. */
export interface StoredBody {
  readonly bytes: number
  /** @param range bytes to read, both ends included; all of them without */
  open(range?: { readonly start: number; readonly end: number }): Readable
}

/**
 * A recorded body to send: its bytes, or where it is longer than `most` a way to stream them; empty when there is none.
 * @throws RecordingUnusable as `readBody` does
 */
export async function openBody(
  directory: string,
  body: Content | PostData,
  most: number,
): Promise<Buffer | StoredBody> {
  const own = filePath(directory, body)
  if (own !== undefined) {
    const { path, size } = await sizeOfBody(own).then(
      (size) => ({ path: own, size }),
      async (error: unknown) => {
        const path = await findInParts(directory, body._file)
        return path === undefined ? failedBody(own)(error) : { path, size: await sizeOfBody(path) }
      },
    )
    if (size > most) return { bytes: size, open: (range) => createReadStream(path, range) }
  }
  return (await readBody(directory, body)) ?? Buffer.alloc(0)
}

function filePath(directory: string, { _file: file }: Content | PostData): string | undefined {
  if (file !== undefined && !isBodyPath(file))
    throw new RecordingUnusable(`${file} is not the path of a recorded body`)
  return file === undefined ? undefined : join(directory, file)
}

function failedBody(path: string): (error: unknown) => never {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed(`Cannot read ${path}`)(error)
    throw new RecordingUnusable(
      `Cannot read ${path}: it is not there; copy the whole directory of the recording, or record the exchange again`,
      { cause: error },
    )
  }
}

/** Makes what throws the reason why a recording cannot be used. @param what could not be done */
export function failed(what: string): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RecordingUnusable(`${what}: ${reason}`, { cause: error })
  }
}
