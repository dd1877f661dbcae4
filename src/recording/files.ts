import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readFile, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { RecordingUnusable } from '../sim-error.ts'
import { createBodyFile, removeStaleFiles, storeBody, type BodyFile } from './body-file.ts'
import type { BodyNotes, Content, Exchange, PostData, Redacted } from './exchange.ts'
import { bodyPath } from './har.ts'
import { inlineBytes, withoutText } from './inline-body.ts'
import { endLastLine, readLines } from './lines.ts'

/** Largest body that is kept inline. */
export const INLINE_BYTES = 32 * 1024

/** A recording that is open for writing. One process at a time may have it open. */
export interface RecordingFiles {
  /** Begins a body that no secret is looked for in, such as an image. */
  createBodyFile(): Promise<BodyFile>
  /** Writes one exchange as one line, after those asked for earlier; bodies over 32 KiB go to files of their own. */
  append(exchange: Redacted<Exchange>): Promise<void>
  /** Closes after what was asked for is written. */
  close(): Promise<void>
}

/**
 * Opens the recording in `directory` to add to it, making what is missing; a line that a crash left torn is cut off.
 * @throws RecordingUnusable when the directory cannot be made or written
 */
export async function openRecording(directory: string): Promise<RecordingFiles> {
  const bodies = join(directory, 'bodies')
  const file = await openFiles(directory, bodies).catch((error: unknown) => {
    throw new RecordingUnusable(`Cannot record to ${directory}: ${reasonOf(error)}`, { cause: error })
  })
  let last = Promise.resolve()

  const inOrder = (write: () => Promise<void>): Promise<void> => {
    const written = last.then(write)
    last = written.catch(() => undefined)
    return written
  }
  return {
    createBodyFile: () => createBodyFile(bodies),
    append: (exchange) => inOrder(async () => appendLine(file, await moveBodies(exchange, bodies))),
    close: () => inOrder(() => file.close()),
  }
}

/**
 * Reads a recording back, in the order it was written. A torn last line is passed over.
 * @throws RecordingUnusable when there is no recording, or another line is not an exchange
 */
export async function* readExchanges(directory: string): AsyncGenerator<Redacted<Exchange>> {
  const path = exchangesPath(directory)
  for await (const { text, number, isTorn } of readLines(path)) {
    const value = parseLine(text)
    if (isExchange(value)) yield value
    else if (!isTorn) throw new RecordingUnusable(`${path}:${number} is not a recorded exchange`)
  }
}

/**
 * The bytes of a recorded body, wherever they are; undefined when the body was left out or is not there.
 * @throws RecordingUnusable when its file is not there, or is not one of this recording's
 */
export async function readBody(directory: string, body: Content | PostData): Promise<Buffer | undefined> {
  const path = filePath(directory, body)
  return path === undefined ? inlineBytes(body) : readFile(path).catch(unreadable(path))
}

function filePath(directory: string, { _file: file }: Content | PostData): string | undefined {
  // A recording may come from someone else, and must not make us read other files.
  if (file !== undefined && !/^bodies\/[0-9a-f]{64}$/.test(file))
    throw new RecordingUnusable(`${file} is not the path of a recorded body`)
  return file === undefined ? undefined : join(directory, file)
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw new RecordingUnusable(`Cannot read ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

/** A recorded body that is too long to be read at once. */
export interface StoredBody {
  readonly bytes: number
  open(): Readable
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
  const path = filePath(directory, body)
  const bytes = path === undefined ? 0 : await stat(path).then(({ size }) => size, unreadable(path))
  if (path === undefined || bytes <= most) return (await readBody(directory, body)) ?? Buffer.alloc(0)
  return { bytes, open: () => createReadStream(path) }
}

/** A text that changes when something is added to a recording. @throws RecordingUnusable when there is none */
export async function recordingState(directory: string): Promise<string> {
  const path = exchangesPath(directory)
  const { size, mtimeMs } = await stat(path).catch(unreadable(path))
  return `${size} ${mtimeMs}`
}

function exchangesPath(directory: string): string {
  return join(directory, 'exchanges.ndjson')
}

async function openFiles(directory: string, bodies: string): Promise<FileHandle> {
  await mkdir(bodies, { recursive: true, mode: 0o700 })
  await access(bodies, constants.W_OK | constants.X_OK)
  await removeStaleFiles(bodies)
  await endLastLine(exchangesPath(directory))
  return open(exchangesPath(directory), 'a', 0o600)
}

// One write in append mode, so that a crash leaves at most this line torn.
async function appendLine(file: FileHandle, exchange: Redacted<Exchange>): Promise<void> {
  const line = Buffer.from(`${JSON.stringify(exchange)}\n`)
  const { bytesWritten } = await file.write(line)
  if (bytesWritten < line.length) throw new RecordingUnusable('The disk took only part of an exchange')
}

// Bodies come first, so that no line names a file that is not there.
async function moveBodies(exchange: Redacted<Exchange>, bodies: string): Promise<Redacted<Exchange>> {
  const { request, response } = exchange
  const postData = request.postData && (await moveBody(request.postData, bodies))
  const content = await moveBody(response.content, bodies)
  return {
    ...exchange,
    request: { ...request, ...(postData && { postData }) },
    response: { ...response, content },
  }
}

async function moveBody<Body extends Content | PostData>(body: Body, bodies: string): Promise<Body> {
  const bytes = inlineBytes(body)
  if (bytes === undefined || bytes.length <= INLINE_BYTES) return body
  const sha256 = await storeBody(bodies, bytes)
  const notes: BodyNotes = { _file: bodyPath(sha256), _sha256: sha256 }
  return { ...withoutText(body), ...notes } as unknown as Body
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isExchange(value: unknown): value is Redacted<Exchange> {
  const { request, response } = (value ?? {}) as Partial<Exchange>
  return typeof request?.url === 'string' && typeof response?.status === 'number'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
