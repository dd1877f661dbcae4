import { chaosDraws } from '../../src/engine/random.ts'
import type { RawWriter } from '../../src/http/body-writer.ts'
import type { MessagePiece } from '../../src/http/stream-messages.ts'
import { whole } from '../../src/pipeline/option.ts'
import type { Fault } from './fault.ts'

const after = {
  ...whole(0),
  default: 1,
  describe: 'How many events or messages pass before',
}

/** What becomes of the first message that does not pass. */
interface Act {
  /** Called in place of all that comes after the messages that pass. */
  readonly stop?: (raw: RawWriter) => void
  /** What becomes of its data. */
  readonly change?: (data: Buffer) => Buffer
}

/** A fault within an event stream, JSON lines, or what a server says on a WebSocket. Other bodies pass as they are. */
function inStream(name: string, describe: string, act: (draw: () => number) => Act): Fault {
  return {
    name,
    describe,
    options: { after },
    inject({ transport, key, ordinal }, { after: passing = 1 }, { seed }) {
      const { stop, change = same } = act(chaosDraws(seed, name, key, ordinal))
      transport.interceptBody((raw) => {
        const split = raw.messages()
        let isStopped = false
        const isPast = ({ index, isLast }: MessagePiece): boolean => index + (isLast ? 1 : 0) >= passing
        return {
          write(chunk) {
            if (split === undefined) return raw.write(chunk)
            if (isStopped) return false
            const pieces = split(chunk)
            const last = stop === undefined ? -1 : pieces.findIndex(isPast)
            const passed = last < 0 ? pieces : pieces.slice(0, passing === 0 ? 0 : last + 1)
            const bytes = passed.map((piece) =>
              piece.isData && piece.index === passing ? change(piece.bytes) : piece.bytes,
            )
            if (last < 0) return raw.write(Buffer.concat(bytes))
            isStopped = true
            // An empty write sends the head.
            raw.write(Buffer.concat(bytes), () => stop?.(raw))
            return false
          },
          end() {
            if (!isStopped) raw.end()
          },
        }
      })
      return undefined
    },
  }
}

function same(data: Buffer): Buffer {
  return data
}

/** From `!` to `~`: letters of one byte that can be printed. */
const [FIRST, COUNT] = [33, 94]

/** The faults within streams. */
export const inStreams: readonly Fault[] = [
  inStream('cut-stream', 'closes the connection of a stream after some of its messages', () => ({
    stop: (raw) => raw.close(),
  })),
  inStream(
    'stall-stream',
    'sends no more of a stream after some of its messages; the connection stays open',
    () => ({
      stop: (raw) => raw.hang(),
    }),
  ),
  inStream(
    'garble-stream',
    'sends other letters in place of the data of one message of a stream',
    (draw) => ({
      change: (data) => Buffer.from(data.map(() => FIRST + Math.floor(draw() * COUNT))),
    }),
  ),
]
