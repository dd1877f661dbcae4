import { open, type FileHandle } from 'node:fs/promises'
import { RecordingUnusable } from '../../errors.ts'

/** A line of a file; `isTorn` when the file ends before the line does. */
export interface Line {
  readonly text: string
  /** Counted from 1. */
  readonly number: number
  /** Where it begins in the file, and how long it is without its end, in bytes. */
  readonly start: number
  readonly bytes: number
  readonly isTorn: boolean
}

/** Where reading begins, at the beginning of a line. */
export interface ReadFrom {
  readonly start?: number
  /** The number of the line there. */
  readonly number?: number
  /** The file, where it is open already. It stays open. */
  readonly file?: FileHandle
}

const NEWLINE = 0x0a
const BLOCK_BYTES = 64 * 1024

/**
 * Reads a file line by line, without empty lines. Only `\n` ends a line: readline also ends one at U+2028,
 * which JSON may hold as it is.
 * @throws RecordingUnusable when the file cannot be read
 */
export async function* readLines(path: string, from: ReadFrom = {}): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let { start: lineStart = 0, number = 1 } = from
  for await (const block of readBlocks(path, from)) {
    let start = 0
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pieces, block.subarray(start, end)])
      const text = line.toString()
      if (text.trim() !== '') yield { text, number, start: lineStart, bytes: line.length, isTorn: false }
      pieces = []
      number++
      lineStart += line.length + 1
      start = end + 1
    }
    pieces.push(block.subarray(start))
  }
  const line = Buffer.concat(pieces)
  const text = line.toString()
  if (text.trim() !== '') yield { text, number, start: lineStart, bytes: line.length, isTorn: true }
}

/** Makes a file end with a whole line: a torn last one is cut off, and one that lacks only its end gets it. */
export async function endLastLine(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  })
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    const start = await startOfLastLine(file, size)
    if (start === size) return
    const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    if (isJson(buffer.toString())) await file.write('\n', size)
    else await file.truncate(start)
  } finally {
    await file.close()
  }
}

// A stream would close a file that is not its own when it is left early.
async function* readBlocks(path: string, { start = 0, file }: ReadFrom): AsyncGenerator<Buffer> {
  let opened: FileHandle | undefined
  try {
    const source = file ?? (opened = await open(path))
    for (let at = start; ;) {
      const { buffer, bytesRead } = await source.read(Buffer.alloc(BLOCK_BYTES), 0, BLOCK_BYTES, at)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RecordingUnusable(`Cannot read the recording: ${reason}`, { cause: error })
  } finally {
    await opened?.close()
  }
}

async function startOfLastLine(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let end = size; end > 0; end -= BLOCK_BYTES) {
    const start = Math.max(0, end - BLOCK_BYTES)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    const newline = block.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (newline !== -1) return start + newline + 1
  }
  return 0
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
