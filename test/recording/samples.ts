import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Exchange } from '../../src/recording/exchange.ts'
import { openRecording } from '../../src/recording/files/recording-files.ts'
import { buildExchange, type Capture, type HeaderPairs } from '../../src/recording/files/har.ts'
import { loadPseudonymKey } from '../../src/recording/redaction/pseudonym-key.ts'
import { createRedactor } from '../../src/recording/redaction/redactor.ts'
import { pseudonymize } from '../../src/recording/redaction/secrets.ts'

/** Hides what always is, without a key. */
export const REDACTOR = createRedactor()
export const redact = REDACTOR.exchange

/** What gateways write in place of a secret. */
export async function pseudonymOf(secret: string): Promise<string> {
  return pseudonymize(secret, await loadPseudonymKey())
}

/** A directory that is removed when the running test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sim-recording-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Every byte below a directory, with the paths of its files; the mark of an open recording does not count. */
export async function allBytes(directory: string): Promise<{ paths: string[]; bytes: Buffer }> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.writer-'))
    .map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(files.map((path) => readFile(path)))
  return {
    paths: files.map((path) => path.slice(directory.length + 1)).toSorted(),
    bytes: Buffer.concat(contents),
  }
}

/** All that an iterable gives. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

export const sampleCapture: Capture = {
  startedAt: new Date(0),
  timings: { send: 1, wait: 2, receive: 3 },
  request: { method: 'GET', url: 'https://api.example.com/users?page=2', httpVersion: '1.1', headers: [] },
  response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [] },
}

export interface Parts {
  readonly startedAt?: Date
  readonly method?: string
  readonly status?: number
  readonly url?: string
  readonly requestHeaders?: HeaderPairs
  readonly requestBody?: string | Buffer
  readonly responseHeaders?: HeaderPairs
  readonly responseBody?: string | Buffer
  readonly trailers?: HeaderPairs
}

/** An exchange with the parts that a test is about. */
export function exchangeOf(parts: Parts): Exchange {
  const { url = 'https://api.example.com/', requestHeaders = [], responseHeaders = [], trailers } = parts
  const { startedAt = sampleCapture.startedAt, method = 'GET', status = 200 } = parts
  return buildExchange({
    ...sampleCapture,
    startedAt,
    request: { ...sampleCapture.request, method, url, headers: requestHeaders },
    requestBody: bodyOf(parts.requestBody),
    response: { ...sampleCapture.response, status, headers: responseHeaders },
    responseBody: bodyOf(parts.responseBody),
    trailers,
  })
}

function bodyOf(body: string | Buffer | undefined): Capture['requestBody'] {
  if (body === undefined) return undefined
  const bytes = Buffer.from(body)
  return { bytes, wireSize: bytes.length }
}

/** Writes a recording of these exchanges. */
export async function writeRecording(directory: string, ...exchanges: readonly Parts[]): Promise<string> {
  const recording = await openRecording(directory)
  for (const parts of exchanges) await recording.append(redact(exchangeOf(parts)))
  await recording.close()
  return directory
}

/** Writes a recording line by line, as other programs may have written it. */
export async function writeLines(directory: string, ...exchanges: readonly object[]): Promise<string> {
  const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`)
  await appendFile(join(directory, 'exchanges.ndjson'), lines.join(''))
  return directory
}

/** Random bytes of an image. They never begin like JSON, which random ones do once in a hundred times. */
export function imageBytes(size: number): Buffer {
  const bytes = randomBytes(size)
  bytes[0] = 0x89
  return bytes
}
