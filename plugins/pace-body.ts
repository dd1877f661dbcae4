import { PassThrough } from 'node:stream'
import type { RawWriter } from '../src/http/body-writer.ts'
import type { Transport } from '../src/http/transport.ts'
import type { Clock } from '../src/state/clock.ts'

const HELD_BYTES = 16 * 1024
const PIECE_MS = 20

/** Writes some bytes of a body; resolves when they were sent. */
type WritePiece = (piece: Buffer) => Promise<void>

/** Has the body of a response sent in another rhythm, to which those who write it are slowed down. */
export function paceBody(
  transport: Transport,
  send: (chunks: AsyncIterable<Buffer>, write: WritePiece, raw: RawWriter) => Promise<void>,
): void {
  transport.interceptBody((raw) => {
    const waiting = new PassThrough({ highWaterMark: HELD_BYTES })
    const wake = raw.holdBack(() => waiting.writableNeedDrain)
    const write: WritePiece = (piece) => new Promise((sent) => void raw.write(piece, () => sent()))
    // A failure says that the client left.
    void send(waiting, write, raw).then(raw.end, () => undefined)
    waiting.on('drain', wake)
    raw.onClose(() => waiting.destroy())
    return { write: (chunk) => waiting.write(chunk), end: () => void waiting.end() }
  })
}

/** Sends a body over so many milliseconds, the first bytes at once; one whose length is not known comes as it is written. */
export function spreadBody(transport: Transport, clock: Clock, ms: number): void {
  paceBody(transport, async (chunks, write, raw) => {
    const pieces = Math.ceil(ms / PIECE_MS) + 1
    let [sent, started] = [0, NaN]
    for await (const chunk of chunks) {
      const length = raw.statedLength() ?? 0
      const size = Math.max(1, Math.ceil(length / pieces))
      for (let start = 0; start < chunk.length;) {
        const piece = chunk.subarray(start, length === 0 ? undefined : start + size)
        if (Number.isNaN(started)) started = clock.now()
        else if (length > size) {
          // The last byte comes at the end of the time.
          const due = started + (ms * (sent + piece.length - size)) / (length - size)
          await clock.sleep(Math.max(0, due - clock.now()))
        }
        await write(piece)
        sent += piece.length
        start += piece.length
      }
    }
  })
}
