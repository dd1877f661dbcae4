import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { interceptBody, type RawWriter } from './body-writer.ts'

const PIECES_PER_SECOND = 10
const HELD_BYTES = 16 * 1024

/** Sends a response's body at so many bytes a second; who writes it is slowed down as well. */
export function slowBody(
  response: ServerResponse,
  bytesPerSecond: number,
  sleep: (ms: number) => Promise<unknown>,
): void {
  const waiting = new PassThrough({ highWaterMark: HELD_BYTES })
  interceptBody(response, (raw) => {
    void send(waiting, raw, bytesPerSecond, sleep)
    return { write: (chunk) => waiting.write(chunk), end: () => void waiting.end() }
  })
  Object.defineProperty(response, 'writableNeedDrain', { get: () => waiting.writableNeedDrain })
  waiting.on('drain', () => response.emit('drain'))
  response.once('close', () => waiting.destroy())
}

async function send(
  waiting: PassThrough,
  raw: RawWriter,
  bytesPerSecond: number,
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  const size = Math.max(1, Math.floor(bytesPerSecond / PIECES_PER_SECOND))
  try {
    for await (const chunk of waiting as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length; start += size) {
        const piece = chunk.subarray(start, start + size)
        await new Promise<void>((sent) => void raw.write(piece, () => sent()))
        await sleep((piece.length / bytesPerSecond) * 1000)
      }
    }
    raw.end()
  } catch {
    // The client left.
  }
}
