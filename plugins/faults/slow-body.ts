import { whole } from '../../src/pipeline/option.ts'
import { paceBody } from '../pace-body.ts'
import type { Fault } from './fault.ts'

const PIECES_PER_SECOND = 10

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
    const size = Math.max(1, Math.floor(bytesPerSecond / PIECES_PER_SECOND))
    paceBody(transport, async (chunks, write) => {
      for await (const chunk of chunks) {
        for (let start = 0; start < chunk.length; start += size) {
          const piece = chunk.subarray(start, start + size)
          await write(piece)
          await clock.sleep((piece.length / bytesPerSecond) * 1000)
        }
      }
    })
    return undefined
  },
}
