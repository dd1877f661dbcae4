import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { CLOSING, pipeSockets } from './upgrade.ts'
import { FrameReader, type FramePiece } from './web-socket-frames.ts'

/** A close frame that says "going away" (RFC 6455, section 7.4.1). */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9])

/**
 * Passes on what comes in on either connection of a WebSocket. When the gateway closes, each side gets a close frame
 * after the frame that is on its way, and its connection ends when it has sent its own.
 */
export function pipeWebSocket(client: Duplex, server: Duplex): void {
  const directions = [new Direction(client, server), new Direction(server, client)] as const
  pipeSockets(client, server)
  client.once(CLOSING, () => {
    directions[0].close(masked(GOING_AWAY))
    directions[1].close(GOING_AWAY)
  })
}

class Direction {
  readonly #from: Duplex
  readonly #to: Duplex
  readonly #reader = new FrameReader()
  /** What is still to be sent once the frame has ended that is on its way. */
  #last: Buffer | undefined
  #isClosing = false

  constructor(from: Duplex, to: Duplex) {
    this.#from = from
    this.#to = to
    from.on('data', (chunk: Buffer) => {
      const pieces = this.#reader.read(chunk)
      if (this.#isClosing) this.#finish(pieces)
    })
  }

  /** Passes on no frame that has not begun, and sends a last one. */
  close(last: Buffer): void {
    this.#isClosing = true
    this.#from.unpipe(this.#to)
    if (!this.#reader.hasClosed) this.#last = last
    if (this.#reader.isBetweenFrames) this.#sendLast()
    this.#finish([])
    this.#from.resume()
  }

  #finish(pieces: readonly FramePiece[]): void {
    for (const { bytes, endsFrame } of pieces) {
      if (this.#last === undefined) break
      this.#send(bytes)
      if (endsFrame) this.#sendLast()
    }
    if (this.#reader.hasClosed) this.#from.end(() => this.#from.destroy())
  }

  #sendLast(): void {
    if (this.#last !== undefined) this.#send(this.#last)
    this.#last = undefined
  }

  #send(bytes: Buffer): void {
    if (!this.#to.destroyed && !this.#to.writableEnded) this.#to.write(bytes)
  }
}

// What a client sends is masked (RFC 6455, section 5.3).
function masked(frame: Buffer): Buffer {
  const mask = randomBytes(4)
  const [kind = 0, length = 0, ...payload] = frame
  return Buffer.from([
    kind,
    length | 0x80,
    ...mask,
    ...payload.map((byte, at) => byte ^ (mask[at % 4] as number)),
  ])
}
