import { PassThrough } from 'node:stream'
import type { RawWriter } from '../../src/http/body-writer.ts'
import { whole } from '../../src/pipeline/option.ts'
import type { Fault } from './fault.ts'

const PIECES_PER_SECOND = 10
const HELD_BYTES = 16 * 1024

export const slowBody: Fault = {
  name: 'slow-body',
  describe: 'sends the body slowly, and slows down whoever writes it',
  options: {
    bytesPerSecond: {
      ...whole(1),
      default: 1000,
      describe: 'How many bytes of the body are sent in a second',
    },
  },
  inject({ transport }, { bytesPerSecond = 1000 }, { clock }) {
    transport.interceptBody((raw) => {
      const waiting = new PassThrough({ highWaterMark: HELD_BYTES })
      const wake = raw.holdBack(() => waiting.writableNeedDrain)
      void send(waiting, raw, bytesPerSecond, (ms) => clock.sleep(ms))
      waiting.on('drain', wake)
      raw.onClose(() => waiting.destroy())
      return { write: (chunk) => waiting.write(chunk), end: () => void waiting.end() }
    })
    return undefined
  },
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
