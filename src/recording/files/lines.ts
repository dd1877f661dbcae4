import { writeSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'
import type { Exchange, Redacted } from '../exchange.ts'
import { exchangeProblem } from './check-exchange.ts'

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
interface ReadFrom {
  readonly start?: number
  /** The number of the line there. */
  readonly number?: number
  /** The file, where it is open already. It stays open. */
  readonly file?: FileHandle
}

const NEWLINE = 0x0a
const BLOCK_BYTES = 256 * 1024
const MAX_MEBIBYTES = 128

/**
 * Reads a file line by line, without empty lines. Only `\n` ends a line: readline also ends one at U+2028,
 * which JSON may hold as it is.
 * @throws RecordingUnusable when the file cannot be read, or a line is longer than a text may be
 */
export async function* readLines(path: string, from: ReadFrom = {}): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let waiting = 0
  let { start: lineStart = 0, number = 1 } = from
  for await (const block of readBlocks(path, from)) {
    let start = 0
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, start)) {
      const last = block.subarray(start, end)
      const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
      const text = line.toString()
      if (text.trim() !== '') yield { text, number, start: lineStart, bytes: line.length, isTorn: false }
      pieces = []
      waiting = 0
      number++
      lineStart += line.length + 1
      start = end + 1
    }
    // The next block is read into the same memory.
    if (start < block.length) pieces.push(Buffer.from(block.subarray(start)))
    waiting += block.length - start
    if (waiting > MAX_MEBIBYTES * 2 ** 20)
      throw new RecordingUnusable(
        `${path}:${number} is longer than ${MAX_MEBIBYTES} MiB, more than an exchange may be`,
      )
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
    if (jsonOf(buffer.toString()) !== undefined) await file.write('\n', size)
    else await file.truncate(start)
  } finally {
    await file.close()
  }
}

// Each block is gone with the next. A stream would close a file that is not its own when it is left early.
async function* readBlocks(path: string, { start = 0, file }: ReadFrom): AsyncGenerator<Buffer> {
  let opened: FileHandle | undefined
  try {
    const source = file ?? (opened = await openWhole(path))
    const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
    for (let at = start; ;) {
      const { bytesRead } = await source.read(buffer, 0, BLOCK_BYTES, at)
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

/** Opens a file that is read to its end, which pipes and devices may not have. */
export async function openWhole(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`)
  return open(path)
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The file of a recording that holds its exchanges, one a line. */
export function exchangesPath(directory: string): string {
  return join(directory, 'exchanges.ndjson')
}

/**
 * The exchange of a line of a file; `undefined` when it is a torn one.
 * @throws RecordingUnusable when it is another that is not an exchange
 */
export function exchangeIn({ text, number, isTorn }: Line, path: string): Redacted<Exchange> | undefined {
  const value = jsonOf(text)
  const problem = value === undefined ? ': it is not JSON' : exchangeProblem(value)
  if (problem === undefined) return value as Redacted<Exchange>
  if (isTorn) return undefined
  const place = problem.startsWith('/') ? `: ${problem}` : problem.replace(/^ is/, ': it is')
  throw new RecordingUnusable(`${path}:${number} is not a recorded exchange${place}`)
}

/** How many bytes a file holds; one that is not there holds none. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** The exchange of a line; `undefined` when it holds none. */
export function parseExchange(text: string): Redacted<Exchange> | undefined {
  const value = jsonOf(text)
  return exchangeProblem(value) === undefined ? (value as Redacted<Exchange>) : undefined
}

/** Writes lines at the end of a file that is open for that. What is returned is to be waited for, if anything is. */
type AppendLines = (file: FileHandle, lines: readonly string[]) => Promise<void> | undefined

/** What the text of a batch takes at most to be written from memory that is used again. */
const BUFFER_BYTES = 256 * 1024
/** What takes longer shows that the disk is slow, and how many times as long it is taken to be. */
const SLOW_MS = 20
const SLOW_TIMES = 50
/** The most bytes that UTF-8 has for a code unit of UTF-16. */
const MAX_BYTES = 3

/**
 * Writes short batches at once: the system takes them into its memory in a few microseconds, while to have another thread
 * do it takes several times as long. Long ones, and all for a while after the system took its time, are left to that
 * thread, so that a slow disk slows nobody else.
 */
export function createAppendLines(): AppendLines {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let slowUntil = 0

  return (file, lines) => {
    const start = performance.now()
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
    if (length * MAX_BYTES > BUFFER_BYTES || start < slowUntil)
      return file.appendFile(`${lines.join('\n')}\n`)
    let bytes = 0
    for (const line of lines) {
      bytes += buffer.write(line, bytes)
      buffer[bytes++] = NEWLINE
    }
    for (let written = 0; written < bytes;) written += writeSync(file.fd, buffer, written, bytes - written)
    const end = performance.now()
    if (end - start > SLOW_MS) slowUntil = end + SLOW_TIMES * (end - start)
    return undefined
  }
}
